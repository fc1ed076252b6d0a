/* SPDX-License-Identifier: Apache-2.0 */
/* Written chunks: what programs do because `schedule(dynamic, c)` promises that each chunk of c iterations runs whole, in
 * order, on one thread. 200 instances of each loop by teams of 2, 3 and 8. */
#include <omp.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"

enum { instances = 200, chunks_in_loop = 21, tail = 13, least_chunk = 64, largest_chunk = 1024, word_bits = 64 };
enum { most = chunks_in_loop * largest_chunk + tail, most_threads = 8 };

static const int teams[] = {2, 3, most_threads};

/* What an iteration leaves: its thread, and how many that has run in this region before. */
static struct {
  int owner;
  int turn;
} trace[most];
static int ran[most_threads]; /* iterations, by thread */

static void forget(void) {
  memset(trace, -1, sizeof trace);
  memset(ran, 0, sizeof ran);
}

static void note(uint64_t k, int* turns) {
  const int me = omp_get_thread_num();
  trace[k].owner = me;
  trace[k].turn = (*turns)++;
  __atomic_fetch_add(&ran[me], 1, __ATOMIC_RELAXED);
}

/* Waits until another thread has run something, so that no thread runs the whole loop by itself. Not for ever: where the others woke
   late a runtime that steals may have given this thread all there is, this iteration last. */
static void meet_another(void) {
  const int me = omp_get_thread_num();
  for (int turn = 0; turn < 200000; turn++) {
    for (int other = 0; other < most_threads; other++) {
      if (other != me && __atomic_load_n(&ran[other], __ATOMIC_RELAXED) != 0) {
        return;
      }
    }
    sched_yield();
  }
}

static int goes_on(uint64_t k) {
  return trace[k].owner == trace[k - 1].owner && trace[k].turn == trace[k - 1].turn + 1;
}

/* Iterations 0 .. n-1 ran, and those of a chunk one after the other. */
static void expect_whole(uint64_t n, uint64_t chunk, const char* what) {
  for (uint64_t k = 0; k < n; k++) {
    EXPECT(trace[k].owner >= 0, "%s: iteration %llu of %llu did not run", what, (unsigned long long)k,
           (unsigned long long)n);
    EXPECT(k % chunk == 0 || goes_on(k), "%s: split before iteration %llu of %llu", what, (unsigned long long)k,
           (unsigned long long)n);
  }
}

/* No stretch that a thread ran in one go is shorter than a chunk, but for the loop's last. */
static void expect_least(uint64_t n, uint64_t chunk, const char* what) {
  uint64_t length = 1;
  for (uint64_t k = 1; k < n; k++) {
    if (goes_on(k)) {
      length++;
      continue;
    }
    EXPECT(length >= chunk, "%s: %llu iterations before %llu of %llu", what, (unsigned long long)length,
           (unsigned long long)k, (unsigned long long)n);
    length = 1;
  }
}

#define FOR_EACH_INSTANCE(threads)                                                          \
  for (unsigned team_number = 0; team_number < sizeof teams / sizeof *teams; team_number++) \
    for (int threads = teams[team_number], instance = 0; instance < instances; instance++)

/* A loop of plain `long`; each iteration leaves its trace. */
#define RUN_TRACED(threads, n, clause)           \
  _Pragma("omp parallel num_threads(threads)") { \
    int turns = 0;                               \
    OMP(for clause)                              \
    for (long k = 0; k < (n); k++) {             \
      note((uint64_t)k, &turns);                 \
      if (k == 0) {                              \
        meet_another();                          \
      }                                          \
    }                                            \
  }

#define TRACED_CASE(name, chunk, clause, expect)    \
  static void name(void) {                          \
    const long n = chunks_in_loop * (chunk) + tail; \
    FOR_EACH_INSTANCE(threads) {                    \
      forget();                                     \
      RUN_TRACED(threads, n, clause)                \
      expect((uint64_t)n, chunk, #name);            \
    }                                               \
  }

TRACED_CASE(owner_64, 64, schedule(dynamic, 64), expect_whole)
TRACED_CASE(owner_1024, 1024, schedule(dynamic, 1024), expect_whole)
TRACED_CASE(owner_5, 5, schedule(dynamic, chunk_variable), expect_whole)
TRACED_CASE(owner_nonmonotonic, 64, schedule(nonmonotonic : dynamic, 64), expect_whole)
TRACED_CASE(owner_monotonic, 64, schedule(monotonic : dynamic, 64), expect_whole)
TRACED_CASE(least_guided_64, 64, schedule(guided, 64), expect_least)
TRACED_CASE(least_guided_5, 5, schedule(guided, chunk_variable), expect_least)

static void set_by_the_program(omp_sched_t kind, void (*expect)(uint64_t, uint64_t, const char*), const char* what) {
  const long n = chunks_in_loop * least_chunk + tail;
  omp_sched_t before;
  int chunk_before;
  omp_get_schedule(&before, &chunk_before);
  omp_set_schedule(kind, least_chunk);
  FOR_EACH_INSTANCE(threads) {
    forget();
    RUN_TRACED(threads, n, schedule(runtime))
    expect((uint64_t)n, least_chunk, what);
  }
  omp_set_schedule(before, chunk_before);
}
static void set_dynamic(void) { set_by_the_program(omp_sched_dynamic, expect_whole, "set_dynamic"); }
static void set_static(void) { set_by_the_program(omp_sched_static, expect_whole, "set_static"); }
static void set_guided(void) { set_by_the_program(omp_sched_guided, expect_least, "set_guided"); }

/* Bits of words that threads would share if a chunk were split. */
static uint64_t bitmap[most / word_bits + 1];

static void expect_bits(long n, const char* what) {
  for (long k = 0; k < n; k++) {
    const int is_set = (int)(bitmap[k / word_bits] >> (k % word_bits) & 1);
    EXPECT(is_set == (int)(scatter((unsigned)k) & 1), "%s: bit %ld of %ld is %d", what, k, n, is_set);
  }
}

#define BITMAP_CASE(name, chunk)                                      \
  static void name(void) {                                            \
    const long n = chunks_in_loop * (chunk) + tail;                   \
    FOR_EACH_INSTANCE(threads) {                                      \
      memset(bitmap, 0, sizeof bitmap);                               \
      OMP(parallel for schedule(dynamic, chunk) num_threads(threads)) \
      for (long k = 0; k < n; k++) {                                  \
        if ((scatter((unsigned)k) & 1) != 0) {                        \
          bitmap[k / word_bits] |= UINT64_C(1) << (k % word_bits);    \
        }                                                             \
      }                                                               \
      expect_bits(n, #name);                                          \
    }                                                                 \
  }

BITMAP_CASE(bitmap_64, 64)
BITMAP_CASE(bitmap_1024, 1024)

/* A place for each chunk, which its iterations fill in turn. */
#define BUFFER_CASE(name, chunk)                                                       \
  static void name(void) {                                                             \
    static long filled[chunks_in_loop + 1];                                            \
    static long buffer[chunks_in_loop + 1][chunk];                                     \
    const long n = chunks_in_loop * (chunk) + tail;                                    \
    FOR_EACH_INSTANCE(threads) {                                                       \
      memset(filled, 0, sizeof filled);                                                \
      OMP(parallel for schedule(dynamic, chunk) num_threads(threads))                  \
      for (long k = 0; k < n; k++) {                                                   \
        buffer[k / (chunk)][filled[k / (chunk)]++ % (chunk)] = k;                      \
      }                                                                                \
      for (long k = 0; k < n; k++) {                                                   \
        EXPECT(buffer[k / (chunk)][k % (chunk)] == k, "%s: %ld instead of %ld", #name, \
               buffer[k / (chunk)][k % (chunk)], k);                                   \
      }                                                                                \
    }                                                                                  \
  }

BUFFER_CASE(buffer_64, 64)
BUFFER_CASE(buffer_1024, 1024)

/* Counters of every kind. */
#define COUNTER_CASE(name, type, start, step, ends)             \
  static void name(void) {                                      \
    const long n = chunks_in_loop * least_chunk + tail;         \
    const type first = (start);                                 \
    const type stride = (step);                                 \
    const type last = (type)(first + (type)n * stride);         \
    FOR_EACH_INSTANCE(threads) {                                \
      forget();                                                 \
      _Pragma("omp parallel num_threads(threads)") {            \
        int turns = 0;                                          \
        OMP(for schedule(dynamic, 64))                          \
        for (type i = first; i ends last; i += (step)) {        \
          note((uint64_t)((type)(i - first) / stride), &turns); \
        }                                                       \
      }                                                         \
      expect_whole((uint64_t)n, least_chunk, #name);            \
    }                                                           \
  }

COUNTER_CASE(counts_unsigned, unsigned, 4000000000U, 3U, <)
COUNTER_CASE(counts_u64, uint64_t, UINT64_C(18446744073709000000), UINT64_C(2), <)
COUNTER_CASE(counts_down, int, 7, -3, >)
COUNTER_CASE(counts_i64_down, int64_t, INT64_C(9000000000), INT64_C(-5), >)

static void counts_u64_down(void) {
  const uint64_t n = chunks_in_loop * least_chunk + tail;
  FOR_EACH_INSTANCE(threads) {
    forget();
#pragma omp parallel num_threads(threads)
    {
      int turns = 0;
#pragma omp for schedule(dynamic, 64)
      for (uint64_t i = 3 * n; i > 0; i -= 3) {
        note(n - i / 3, &turns);
      }
    }
    expect_whole(n, least_chunk, "counts_u64_down");
  }
}

static void lastprivate_value(void) {
  const long n = chunks_in_loop * least_chunk + tail;
  FOR_EACH_INSTANCE(threads) {
    long last = -1;
    forget();
#pragma omp parallel num_threads(threads)
    {
      int turns = 0;
#pragma omp for schedule(dynamic, 64) lastprivate(last)
      for (long k = 0; k < n; k++) {
        note((uint64_t)k, &turns);
        last = k;
      }
    }
    EXPECT(last == n - 1, "last value %ld of %ld", last, n);
    expect_whole((uint64_t)n, least_chunk, "lastprivate_value");
  }
}

static void collapsed(void) {
  enum { rows = 37, columns = 29 };
  FOR_EACH_INSTANCE(threads) {
    forget();
#pragma omp parallel num_threads(threads)
    {
      int turns = 0;
#pragma omp for collapse(2) schedule(dynamic, 64)
      for (int r = 0; r < rows; r++) {
        for (int c = 0; c < columns; c++) {
          note((uint64_t)(r * columns + c), &turns);
        }
      }
    }
    expect_whole((uint64_t)rows * columns, least_chunk, "collapsed");
  }
}

/* One loop of a region behind the other, without a barrier. */
static void in_flight(void) {
  enum { loops = 5 };
  const long n = 3 * least_chunk + tail;
  FOR_EACH_INSTANCE(threads) {
    forget();
#pragma omp parallel num_threads(threads)
    {
      int turns = 0;
      for (long loop = 0; loop < loops; loop++) {
#pragma omp for schedule(dynamic, 64) nowait
        for (long k = 0; k < n; k++) {
          note((uint64_t)(loop * n + k), &turns);
        }
        turns++; /* chunks of two loops do not go on */
      }
    }
    for (long loop = 0; loop < loops; loop++) {
      for (long k = 0; k < n; k++) {
        EXPECT(k % least_chunk == 0 || goes_on((uint64_t)(loop * n + k)), "loop %ld: split before %ld", loop, k);
      }
    }
  }
}

/* Fewer iterations than a chunk, none, and just a chunk. */
static void short_loops(void) {
  FOR_EACH_INSTANCE(threads) {
    const long lengths[] = {0, 1, 2, least_chunk - 1, least_chunk, least_chunk + 1};
    const long n = lengths[instance % 6];
    forget();
#pragma omp parallel num_threads(threads)
    {
      int turns = 0;
#pragma omp for schedule(dynamic, 64)
      for (long k = 0; k < n; k++) {
        note((uint64_t)k, &turns);
      }
    }
    expect_whole((uint64_t)n, least_chunk, "short_loops");
  }
}

#define CASE(name) \
  { #name, name }
static const struct test_case cases[] = {
    CASE(owner_64),        CASE(owner_1024),      CASE(owner_5),         CASE(owner_nonmonotonic),
    CASE(owner_monotonic), CASE(least_guided_64), CASE(least_guided_5),  CASE(set_dynamic),
    CASE(set_static),      CASE(set_guided),      CASE(bitmap_64),       CASE(bitmap_1024),
    CASE(buffer_64),       CASE(buffer_1024),     CASE(counts_unsigned), CASE(counts_u64),
    CASE(counts_down),     CASE(counts_i64_down), CASE(counts_u64_down), CASE(lastprivate_value),
    CASE(collapsed),       CASE(in_flight),       CASE(short_loops),
};

int main(int argc, char** argv) { return RUN_CASES(argc, argv, cases); }
