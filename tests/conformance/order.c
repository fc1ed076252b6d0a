/* SPDX-License-Identifier: Apache-2.0 */
/* Loops whose order is promised: ordered, doacross, monotonic. */
#include "harness.h"

#include <omp.h>
#include <stdint.h>

#define ORDERED_CLAUSES(X)           \
  X(runtime, schedule(runtime))      \
  X(dynamic, schedule(dynamic))      \
  X(dynamic_7, schedule(dynamic, 7)) \
  X(guided, schedule(guided))        \
  X(guided_3, schedule(guided, 3))   \
  X(auto, schedule(auto))            \
  X(static, schedule(static))        \
  X(monotonic_dynamic, schedule(monotonic : dynamic))

#define DEFINE_ORDERED(CTAG, ...)                                                  \
  static void ordered_##CTAG(void) {                                               \
    int expected = 0;                                                              \
    unsigned long long above = 1ULL << 63;                                         \
    struct cover c;                                                                \
    cover_open(&c, 150);                                                           \
        OMP(parallel for ordered __VA_ARGS__)                                      \
    for (int i = 0; i < 150; i++) {                                                \
      if (i % 11 == 3) {                                                           \
        linger(15);                                                                \
      }                                                                            \
      cover_hit(&c, (uint64_t)i);                                                  \
      if (i % 2 == 0) {                                                            \
        OMP(ordered) {                                                             \
          EXPECT(expected == i, "iteration %d came when %d was due", i, expected); \
          expected = i + 2;                                                        \
        }                                                                          \
      }                                                                            \
    }                                                                              \
    cover_close(&c, "ordered");                                                    \
    unsigned long long due = above + 60;                                           \
    OMP(parallel) {                                                                \
            OMP(for ordered __VA_ARGS__)                                           \
      for (unsigned long long i = above + 60; i > above - 60; i -= 3) {            \
        OMP(ordered) {                                                             \
          EXPECT(due == i, "down across 2^63: out of order");                      \
          due = i - 3;                                                             \
        }                                                                          \
      }                                                                            \
    }                                                                              \
    EXPECT(due == above - 60, "down across 2^63: the loop stopped early");         \
  }

/* Plain loops before, between and after must not be confused by the ordered ones. */
#define DEFINE_ORDERED_MIX(CTAG, ...)                                             \
  static void ordered_mix_##CTAG(void) {                                          \
    int due = 0;                                                                  \
    struct cover c;                                                               \
    cover_open(&c, 12 * 25);                                                      \
    OMP(parallel)                                                                 \
    for (int l = 0; l < 12; l++) {                                                \
            OMP(for nowait schedule(dynamic))                                     \
      for (int i = 0; i < 25; i += 2) {                                           \
        cover_hit(&c, (uint64_t)(l * 25 + i));                                    \
      }                                                                           \
            OMP(for ordered __VA_ARGS__)                                          \
      for (int i = 0; i < 10; i++) {                                              \
        OMP(ordered) {                                                            \
          EXPECT(due == l * 10 + i, "loop %d, iteration %d: out of order", l, i); \
          due++;                                                                  \
        }                                                                         \
      }                                                                           \
            OMP(for nowait schedule(runtime))                                     \
      for (int i = 1; i < 25; i += 2) {                                           \
        cover_hit(&c, (uint64_t)(l * 25 + i));                                    \
      }                                                                           \
    }                                                                             \
    cover_close(&c, "plain loops around ordered ones");                           \
    EXPECT(due == 120, "%d of 120 ordered iterations", due);                      \
  }

#define DEFINE_DOACROSS(CTAG, ...)                                                                         \
  static void doacross_##CTAG(void) {                                                                      \
    enum { n = 120 };                                                                                      \
    static unsigned chain[n + 1];                                                                          \
    unsigned right = 1;                                                                                    \
    chain[0] = 1;                                                                                          \
    OMP(parallel) {                                                                                        \
            OMP(for ordered(1) __VA_ARGS__)                                                                \
      for (int i = 1; i <= n; i++) {                                                                       \
        OMP(ordered depend(sink : i - 1))                                                                  \
        chain[i] = chain[i - 1] * 3 + (unsigned)i;                                                         \
        OMP(ordered depend(source))                                                                        \
      }                                                                                                    \
    }                                                                                                      \
    for (int i = 1; i <= n; i++) {                                                                         \
      right = right * 3 + (unsigned)i;                                                                     \
      EXPECT(chain[i] == right, "ordered(1): element %d is %u, not %u", i, chain[i], right);               \
    }                                                                                                      \
  }                                                                                                        \
  static void wavefront_##CTAG(void) {                                                                     \
    enum { n = 14 };                                                                                       \
    static unsigned grid[n][n];                                                                            \
        OMP(parallel for ordered(2) __VA_ARGS__)                                                           \
    for (int i = 0; i < n; i++) {                                                                          \
      for (int j = 0; j < n; j++) {                                                                        \
        OMP(ordered depend(sink : i - 1, j) depend(sink : i, j - 1))                                       \
        grid[i][j] = i && j ? grid[i - 1][j] + grid[i][j - 1] : 1;                                         \
        OMP(ordered depend(source))                                                                        \
      }                                                                                                    \
    }                                                                                                      \
    for (int i = 1; i < n; i++) {                                                                          \
      for (int j = 1; j < n; j++) {                                                                        \
        EXPECT(grid[i][j] == grid[i - 1][j] + grid[i][j - 1], "ordered(2): element %d %d is wrong", i, j); \
      }                                                                                                    \
    }                                                                                                      \
  }

#define DEFINE_ASCENDING(CTAG, ...)                                             \
  static void ascending_##CTAG(void) {                                          \
    for (int run = 0; run < 40; run++) {                                        \
      struct cover c;                                                           \
      cover_open(&c, 230);                                                      \
      OMP(parallel) {                                                           \
        long previous = -1;                                                     \
        unsigned long long before = ~0ULL;                                      \
                OMP(for nowait __VA_ARGS__)                                     \
        for (long i = 0; i < 180; i++) {                                        \
          EXPECT(i > previous, "run %d: %ld came after %ld", run, i, previous); \
          previous = i;                                                         \
          cover_hit(&c, (uint64_t)i);                                           \
          if (i < 90 && scatter((unsigned)(run + i * 64)) % 23 == 0) {          \
            linger(10);                                                         \
          }                                                                     \
        }                                                                       \
                OMP(for __VA_ARGS__)                                            \
        for (unsigned long long i = ~0ULL - 1; i > ~0ULL - 51; i--) {           \
          EXPECT(i < before, "run %d: a downward loop went up", run);           \
          before = i;                                                           \
          cover_hit(&c, 180 + (~0ULL - 1 - i));                                 \
        }                                                                       \
      }                                                                         \
      cover_close(&c, "run %d", run);                                           \
    }                                                                           \
  }

#define DEFINE_ALL(CTAG, ...)           \
  DEFINE_ORDERED(CTAG, __VA_ARGS__)     \
  DEFINE_ORDERED_MIX(CTAG, __VA_ARGS__) \
  DEFINE_DOACROSS(CTAG, __VA_ARGS__)
ORDERED_CLAUSES(DEFINE_ALL)

#define ASCENDING_CLAUSES(X) MONOTONIC_CLAUSES(X) STATIC_CLAUSES(X)
ASCENDING_CLAUSES(DEFINE_ASCENDING)

#define CASES(CTAG, ...)                                                          \
  {"ordered." #CTAG, ordered_##CTAG}, {"ordered-mix." #CTAG, ordered_mix_##CTAG}, \
      {"doacross." #CTAG, doacross_##CTAG}, {"wavefront." #CTAG, wavefront_##CTAG},
#define ASCENDING_CASE(CTAG, ...) {"ascending." #CTAG, ascending_##CTAG},
static const struct test_case cases[] = {ORDERED_CLAUSES(CASES) ASCENDING_CLAUSES(ASCENDING_CASE)};

int main(int argc, char** argv) { return RUN_CASES(argc, argv, cases); }
