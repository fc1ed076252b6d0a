/* SPDX-License-Identifier: Apache-2.0 */
/* Cancelled loops: no iteration twice, nothing hangs, and the loops after them are whole.
 * Runs itself again with OMP_CANCELLATION=true, which counts only at start-up. */
#define _POSIX_C_SOURCE 200809L
#include "harness.h"

#include <limits.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { most_members = 8, kept = 150 };

#define DEFINE_CANCEL_FOR(CTAG, ...)                                 \
  static void cancel_for_##CTAG(void) {                              \
    for (int round = 0; round < 15; round++) {                       \
      struct cover c[3];                                             \
      covers_open(c, 3, 400);                                        \
      OMP(parallel) {                                                \
                OMP(for __VA_ARGS__)                                 \
        for (int i = 0; i < 400; i++) {                              \
          cover_hit(&c[0], (uint64_t)i);                             \
                    OMP(cancel for if (i == 20 * round))             \
                    OMP(cancellation point for)                      \
        }                                                            \
                OMP(for __VA_ARGS__)                                 \
        for (int i = 0; i < 400; i++) {                              \
          cover_hit(&c[1], (uint64_t)i);                             \
        }                                                            \
                OMP(for __VA_ARGS__)                                 \
        for (int i = 0; i < 400; i++) {                              \
          cover_hit(&c[2], (uint64_t)i);                             \
                    OMP(cancel for if (i < 0))                       \
        }                                                            \
      }                                                              \
      cover_close_at_most_once(&c[0], "round %d, cancelled", round); \
      cover_close(&c[1], "round %d, the loop after", round);         \
      cover_close(&c[2], "round %d, never cancelled", round);        \
    }                                                                \
  }

#define DEFINE_CANCEL_PARALLEL(CTAG, ...)                                                              \
  static void cancel_parallel_##CTAG(void) {                                                           \
    for (int round = 0; round < 15; round++) {                                                         \
      struct cover c[3];                                                                               \
      covers_open(c, 3, 200);                                                                          \
      OMP(parallel) {                                                                                  \
        int me = omp_get_thread_num();                                                                 \
                OMP(for nowait __VA_ARGS__)                                                            \
        for (int i = 0; i < 200; i++) {                                                                \
          cover_hit(&c[0], (uint64_t)i);                                                               \
        }                                                                                              \
        OMP(cancel parallel if (me == round % omp_get_num_threads()))                                  \
                OMP(for __VA_ARGS__)                                                                   \
        for (int i = 0; i < 200; i++) {                                                                \
          cover_hit(&c[1], (uint64_t)i);                                                               \
        }                                                                                              \
        EXPECT(me != round % omp_get_num_threads(), "round %d: the cancelling member went on", round); \
      }                                                                                                \
            OMP(parallel for __VA_ARGS__)                                                              \
      for (int i = 0; i < 200; i++) {                                                                  \
        cover_hit(&c[2], (uint64_t)i);                                                                 \
      }                                                                                                \
      cover_close_at_most_once(&c[0], "round %d, before", round);                                      \
      cover_close_at_most_once(&c[1], "round %d, cancelled", round);                                   \
      cover_close(&c[2], "round %d, the region after", round);                                         \
    }                                                                                                  \
  }

/* Ranges far too wide to run through: each member keeps its first iterations, then
 * asks for the end.  Nothing may be outside the range or be given out twice. */
static unsigned long long seen[most_members][kept];
static int count_of[most_members];

static int by_value(const void* a, const void* b) {
  unsigned long long x = *(const unsigned long long*)a, y = *(const unsigned long long*)b;
  return (x > y) - (x < y);
}

static void judge_seen(const char* what) {
  static unsigned long long all[most_members * kept];
  size_t n = 0;
  for (int m = 0; m < most_members; m++) {
    memcpy(all + n, seen[m], (size_t)count_of[m] * sizeof all[0]);
    n += (size_t)count_of[m];
  }
  qsort(all, n, sizeof all[0], by_value);
  EXPECT(n > 0, "%s: nothing ran", what);
  for (size_t k = 1; k < n; k++) {
    EXPECT(all[k] != all[k - 1], "%s: iteration %llu was given out twice", what, all[k]);
  }
}

#define HUGE_LOOP(CTAG, T, FIRST, TEST, STEP, WHAT, ...) \
  memset(count_of, 0, sizeof count_of);                  \
  OMP(parallel num_threads(members)) {                   \
    int me = omp_get_thread_num();                       \
        OMP(for __VA_ARGS__)                             \
    for (T i = FIRST; TEST; STEP) {                      \
      int k = count_of[me];                              \
      if (k < kept) {                                    \
        seen[me][k] = (unsigned long long)i;             \
        count_of[me] = k + 1;                            \
      }                                                  \
            OMP(cancel for if (k + 1 >= kept))           \
            OMP(cancellation point for)                  \
    }                                                    \
  }                                                      \
  judge_seen(WHAT);

#define DEFINE_HUGE(CTAG, ...)                                                                                     \
  static void huge_##CTAG(void) {                                                                                  \
    int members = omp_get_max_threads() < most_members ? omp_get_max_threads() : most_members;                     \
    HUGE_LOOP(CTAG, int, -9, i < INT_MAX - 20, i++, "int, 2^31 - 12 iterations", __VA_ARGS__)                      \
    HUGE_LOOP(CTAG, int, 30, i > -INT_MAX + 50, i--, "int, down", __VA_ARGS__)                                     \
    HUGE_LOOP(CTAG, unsigned, 0, i < UINT_MAX, i++, "unsigned", __VA_ARGS__)                                       \
    HUGE_LOOP(CTAG, long, -5, i < LONG_MAX - 9, i++, "long, 2^63 - 5 iterations", __VA_ARGS__)                     \
    HUGE_LOOP(CTAG, long, LONG_MAX, i > 7, i -= 3, "long, down by 3", __VA_ARGS__)                                 \
    HUGE_LOOP(CTAG, unsigned long long, 0, i < ULLONG_MAX - 99, i++, "unsigned long long, nearly 2^64 iterations", \
              __VA_ARGS__)                                                                                         \
    HUGE_LOOP(CTAG, unsigned long long, ULLONG_MAX, i > 99, i--, "unsigned long long, down", __VA_ARGS__)          \
    HUGE_NEST(CTAG, __VA_ARGS__)                                                                                   \
  }                                                                                                                \
  static void huge_wide_##CTAG(void) {                                                                             \
    int members = omp_get_max_threads() < most_members ? omp_get_max_threads() : most_members;                     \
    HUGE_LOOP(CTAG, int, INT_MIN, i < INT_MAX, i++, "int, 2^32 - 1 iterations", __VA_ARGS__)                       \
    HUGE_LOOP(CTAG, int, INT_MAX, i > INT_MIN, i--, "int, down", __VA_ARGS__)                                      \
  }

/* 2^40 iterations of a collapsed nest. */
#define HUGE_NEST(CTAG, ...)                               \
  memset(count_of, 0, sizeof count_of);                    \
  OMP(parallel num_threads(members)) {                     \
    int me = omp_get_thread_num();                         \
        OMP(for collapse(2) __VA_ARGS__)                   \
    for (long i = 0; i < 1L << 20; i++) {                  \
      for (long j = 0; j < 1L << 20; j++) {                \
        int k = count_of[me];                              \
        if (k < kept) {                                    \
          seen[me][k] = (unsigned long long)(i << 20 | j); \
          count_of[me] = k + 1;                            \
        }                                                  \
                OMP(cancel for if (k + 1 >= kept))         \
                OMP(cancellation point for)                \
      }                                                    \
    }                                                      \
  }                                                        \
  judge_seen("collapse(2), 2^40 iterations");

#define DEFINE_ALL(CTAG, ...)               \
  DEFINE_CANCEL_FOR(CTAG, __VA_ARGS__)      \
  DEFINE_CANCEL_PARALLEL(CTAG, __VA_ARGS__) \
  DEFINE_HUGE(CTAG, __VA_ARGS__)
ALL_CLAUSES(DEFINE_ALL)

/* Cancelled sections must leave the loops after them alone. */
static void cancel_sections(void) {
  for (int round = 0; round < 20; round++) {
    struct cover c;
    cover_open(&c, 100);
    OMP(parallel) {
      OMP(sections) { OMP(section){OMP(cancel sections)} OMP(section) linger(1); }
            OMP(for schedule(dynamic))
            for (int i = 0; i < 100; i++) {
              cover_hit(&c, (uint64_t)i);
            }
    }
    cover_close(&c, "round %d, the loop after", round);
  }
}

#define CASES(CTAG, ...)                                                                        \
  {"cancel-for." #CTAG, cancel_for_##CTAG}, {"cancel-parallel." #CTAG, cancel_parallel_##CTAG}, \
      {"huge." #CTAG, huge_##CTAG}, {"huge-wide." #CTAG, huge_wide_##CTAG},
static const struct test_case cases[] = {
    ALL_CLAUSES(CASES){"cancel-sections", cancel_sections},
};

int main(int argc, char** argv) {
  const char* now = getenv("OMP_CANCELLATION");
  if (now == NULL || strcmp(now, "true") != 0) {
    setenv("OMP_CANCELLATION", "true", 1);
    execv("/proc/self/exe", argv);
    perror("cannot run itself again");
    return 1;
  }
  return RUN_CASES(argc, argv, cases);
}
