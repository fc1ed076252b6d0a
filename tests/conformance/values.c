/* SPDX-License-Identifier: Apache-2.0 */
/* What a loop leaves behind: lastprivate, linear, reductions, and collapsed nests. */
#include "harness.h"

#include <limits.h>
#include <omp.h>

enum { uneven_runs = 200 };

/* Slow iterations sit mostly in the first half: the member of the last one is idle early
 * and, under a naive stealing schedule, fetches earlier work afterwards. */
static void uneven_work(int run, int i, int n) {
  unsigned dice = scatter((unsigned)(run * 1009 + i));
  if (i < n / 2 ? dice % 5 == 0 : dice % 31 == 0) {
    linger(8 + dice % 16);
  }
}

/* Whoever receives the final iteration must receive nothing afterwards. */
#define BODY_WITH_LAST(I, LAST)                                                               \
  {                                                                                           \
    EXPECT(!had_last, "run %d: iteration %d came to a member after the last", run, (int)(I)); \
    had_last = (I) == (LAST);                                                                 \
    uneven_work(run, (int)(I), n);                                                            \
    copy = (long long)(I)*3 + 1;                                                              \
    pair[0] = (int)(I);                                                                       \
    pair[1] = -(int)(I);                                                                      \
  }
#define CHECK_LAST(LAST)                                                                                           \
  EXPECT(copy == (long long)(LAST)*3 + 1, "run %d: lastprivate is %lld, not %lld", run, copy,                      \
         (long long)(LAST)*3 + 1);                                                                                 \
  EXPECT(pair[0] == (int)(LAST) && pair[1] == -(int)(LAST), "run %d: lastprivate array holds %d %d", run, pair[0], \
         pair[1]);

#define DEFINE_LAST(CTAG, ...)                                                                                 \
  static void last_up_##CTAG(int run, int n) {                                                                 \
    long long copy = -1;                                                                                       \
    int pair[2] = {-1, -1};                                                                                    \
    OMP(parallel) {                                                                                            \
      int had_last = 0;                                                                                        \
            OMP(for lastprivate(copy, pair) __VA_ARGS__)                                                       \
      for (int i = 0; i < n; i++) BODY_WITH_LAST(i, n - 1)                                                     \
    }                                                                                                          \
    CHECK_LAST(n - 1)                                                                                          \
  }                                                                                                            \
  static void last_down_##CTAG(int run, int n) {                                                               \
    long long copy = -1;                                                                                       \
    int pair[2] = {-1, -1};                                                                                    \
    int last = (n - 1) % 7 + 3;                                                                                \
    OMP(parallel) {                                                                                            \
      int had_last = 0;                                                                                        \
            OMP(for lastprivate(copy, pair) __VA_ARGS__)                                                       \
      for (long i = n + 2; i > 2; i -= 7) BODY_WITH_LAST(i, last)                                              \
    }                                                                                                          \
    CHECK_LAST(last)                                                                                           \
  }                                                                                                            \
  static void last_ull_##CTAG(int run, int n) {                                                                \
    long long copy = -1;                                                                                       \
    int pair[2] = {-1, -1};                                                                                    \
    unsigned long long base = (1ULL << 63) - 10;                                                               \
    OMP(parallel) {                                                                                            \
      int had_last = 0;                                                                                        \
            OMP(for lastprivate(copy, pair) __VA_ARGS__)                                                       \
      for (unsigned long long i = base; i < base + (unsigned)n; i++) BODY_WITH_LAST(i - base, (unsigned)n - 1) \
    }                                                                                                          \
    CHECK_LAST(n - 1)                                                                                          \
  }                                                                                                            \
  static void last_combined_##CTAG(int run, int n) {                                                           \
    long long copy = -1;                                                                                       \
    int i;                                                                                                     \
        OMP(parallel for lastprivate(copy, i) __VA_ARGS__)                                                     \
    for (i = 0; i < n; i++) {                                                                                  \
      uneven_work(run, i, n);                                                                                  \
      copy = i;                                                                                                \
    }                                                                                                          \
    EXPECT(copy == n - 1, "run %d: combined, lastprivate is %lld, not %d", run, copy, n - 1);                  \
    EXPECT(i == n, "run %d: combined, the counter ends at %d, not %d", run, i, n);                             \
  }                                                                                                            \
  static void lastprivate_##CTAG(void) {                                                                       \
    static void (*const forms[])(int, int) = {last_up_##CTAG, last_down_##CTAG, last_ull_##CTAG,               \
                                              last_combined_##CTAG};                                           \
    for (int run = 0; run < uneven_runs; run++) {                                                              \
      forms[run % 4](run, 1 + run % 60);                                                                       \
    }                                                                                                          \
  }                                                                                                            \
  static void last_nest_##CTAG(void) {                                                                         \
    enum { n = 12 };                                                                                           \
    for (int run = 0; run < 50; run++) {                                                                       \
      int i = 0, j = 0;                                                                                        \
      long long copy = -1;                                                                                     \
            OMP(parallel for collapse(2) lastprivate(copy, i, j) __VA_ARGS__)                                  \
      for (i = 0; i < n; i++) {                                                                                \
        for (j = 4; j > 0; j--) {                                                                              \
          uneven_work(run, i, n);                                                                              \
          copy = i * 100 + j;                                                                                  \
        }                                                                                                      \
      }                                                                                                        \
      EXPECT(copy == (n - 1) * 100 + 1, "run %d: lastprivate is %lld", run, copy);                             \
      EXPECT(i == n && j == 0, "run %d: the counters end at %d, %d", run, i, j);                               \
    }                                                                                                          \
  }

/* The value of the last iteration that assigned it, which is not the last iteration. */
#define DEFINE_CONDITIONAL(CTAG, ...)                                                            \
  static void conditional_##CTAG(void) {                                                         \
    for (int run = 0; run < uneven_runs; run++) {                                                \
      int n = 10 + run % 40;                                                                     \
      int copy = -1;                                                                             \
            OMP(parallel for lastprivate(conditional : copy) __VA_ARGS__)                        \
      for (int i = 0; i < n; i++) {                                                              \
        uneven_work(run, i, n);                                                                  \
        if (i % 4 == 1) {                                                                        \
          copy = i;                                                                              \
        }                                                                                        \
      }                                                                                          \
      int right = (n - 2) / 4 * 4 + 1;                                                           \
      EXPECT(copy == right, "run %d: lastprivate(conditional) is %d, not %d", run, copy, right); \
    }                                                                                            \
  }

#define DEFINE_LINEAR(CTAG, ...)                                                      \
  static void linear_##CTAG(void) {                                                   \
    for (int run = 0; run < 60; run++) {                                              \
      int n = 1 + run;                                                                \
      int x = 5;                                                                      \
            OMP(parallel for linear(x : 3) __VA_ARGS__)                               \
      for (int i = 0; i < n; i++) {                                                   \
        EXPECT(x == 5 + 3 * i, "run %d: linear is %d at iteration %d", run, x, i);    \
        uneven_work(run, i, n);                                                       \
        x += 3;                                                                       \
      }                                                                               \
      EXPECT(x == 5 + 3 * n, "run %d: linear ends at %d, not %d", run, x, 5 + 3 * n); \
    }                                                                                 \
  }

struct extent {
  int low, high;
};
static void widen(struct extent* out, const struct extent* in) {
  out->low = in->low < out->low ? in->low : out->low;
  out->high = in->high > out->high ? in->high : out->high;
}
OMP(declare reduction(widen
                      : struct extent
                      : widen(&omp_out, &omp_in)) initializer(omp_priv = (struct extent){INT_MAX, INT_MIN}))

#define DEFINE_REDUCTION(CTAG, ...)                                                                                  \
  static void reduction_##CTAG(void) {                                                                               \
    enum { n = 500 };                                                                                                \
    long sum = 7;                                                                                                    \
    int least = INT_MAX, most = INT_MIN, all = 1;                                                                    \
    long bins[4] = {0, 0, 0, 0};                                                                                     \
    struct extent extent = {INT_MAX, INT_MIN};                                                                       \
        OMP(parallel for reduction(+ : sum, bins) reduction(min : least)           \
            reduction(max : most) reduction(&& : all) reduction(widen : extent)    \
            __VA_ARGS__)                                                                                             \
    for (int i = 0; i < n; i++) {                                                                                    \
      int value = (i * 37) % n - 100;                                                                                \
      struct extent one = {value, value};                                                                            \
      sum += value;                                                                                                  \
      bins[i % 4] += i;                                                                                              \
      least = value < least ? value : least;                                                                         \
      most = value > most ? value : most;                                                                            \
      all = all && value < n;                                                                                        \
      widen(&extent, &one);                                                                                          \
    }                                                                                                                \
    EXPECT(sum == 7 + n * (n - 1) / 2 - 100L * n, "sum is %ld", sum);                                                \
    EXPECT(least == -100 && most == n - 101, "min %d, max %d", least, most);                                         \
    EXPECT(all == 1, "the logical and is %d", all);                                                                  \
    EXPECT(extent.low == -100 && extent.high == n - 101, "extent %d .. %d", extent.low, extent.high);                \
    EXPECT(bins[0] + bins[1] + bins[2] + bins[3] == n * (n - 1) / 2, "array sums %ld %ld %ld %ld", bins[0], bins[1], \
           bins[2], bins[3]);                                                                                        \
  }                                                                                                                  \
  static void reduction_nowait_##CTAG(void) {                                                                        \
    long sum = 0, twice = 0;                                                                                         \
    OMP(parallel)                                                                                                    \
    for (int l = 0; l < 30; l++) {                                                                                   \
            OMP(for nowait reduction(+ : sum) __VA_ARGS__)                                                           \
      for (int i = 0; i < 40; i++) {                                                                                 \
        sum += i;                                                                                                    \
      }                                                                                                              \
            OMP(for nowait reduction(+ : twice) __VA_ARGS__)                                                         \
      for (int i = 40; i > 0; i -= 3) {                                                                              \
        twice += 2;                                                                                                  \
      }                                                                                                              \
    }                                                                                                                \
    EXPECT(sum == 30L * 780, "sum is %ld", sum);                                                                     \
    EXPECT(twice == 30L * 28, "count is %ld", twice);                                                                \
  }

#define DEFINE_TASK_REDUCTION(CTAG, ...)                            \
  static void task_reduction_##CTAG(void) {                         \
    long sum = 0, other = 0;                                        \
        OMP(parallel for reduction(task, + : sum) __VA_ARGS__)      \
    for (int i = 0; i < 100; i++) {                                 \
      OMP(task in_reduction(+ : sum) firstprivate(i))               \
      sum += i;                                                     \
    }                                                               \
    OMP(parallel) {                                                 \
            OMP(for reduction(task, + : other) __VA_ARGS__)         \
      for (int i = 0; i < 100; i++) {                               \
        other += 1;                                                 \
        OMP(task in_reduction(+ : other) firstprivate(i))           \
        other += i;                                                 \
      }                                                             \
    }                                                               \
    EXPECT(sum == 4950, "parallel for: sum is %ld, not 4950", sum); \
    EXPECT(other == 5050, "for: sum is %ld, not 5050", other);      \
  }

#define DEFINE_COLLAPSE(CTAG, ...)                                               \
  static void collapse_##CTAG(void) {                                            \
    struct cover c[4];                                                           \
    int none = chunk_variable - chunk_variable;                                  \
    cover_open(&c[0], 23 * 17);                                                  \
    cover_open(&c[1], 5 * 7 * 10);                                               \
    cover_open(&c[2], 6 * 30);                                                   \
    cover_open(&c[3], 0);                                                        \
        OMP(parallel for collapse(2) __VA_ARGS__)                                \
    for (int i = 0; i < 23; i++) {                                               \
      for (int j = 0; j < 17; j++) {                                             \
        cover_hit(&c[0], (uint64_t)(i * 17 + j));                                \
      }                                                                          \
    }                                                                            \
    OMP(parallel) {                                                              \
            OMP(for collapse(3) __VA_ARGS__)                                     \
      for (long i = 4; i >= 0; i--) {                                            \
        for (unsigned j = 0; j < 21; j += 3) {                                   \
          for (short k = 70; k > 0; k -= 7) {                                    \
            cover_hit(&c[1], (uint64_t)((i * 7 + j / 3) * 10 + k / 7 - 1));      \
          }                                                                      \
        }                                                                        \
      }                                                                          \
            OMP(for collapse(2) __VA_ARGS__)                                     \
      for (unsigned long long i = (1ULL << 63) - 3; i < (1ULL << 63) + 3; i++) { \
        for (long long j = -15; j < 15; j++) {                                   \
          cover_hit(&c[2], (i - (1ULL << 63) + 3) * 30 + (uint64_t)(j + 15));    \
        }                                                                        \
      }                                                                          \
            OMP(for collapse(2) __VA_ARGS__)                                     \
      for (int i = 0; i < 10; i++) {                                             \
        for (int j = 0; j < none; j++) {                                         \
          cover_hit(&c[3], 0);                                                   \
        }                                                                        \
      }                                                                          \
    }                                                                            \
    cover_close(&c[0], "collapse(2)");                                           \
    cover_close(&c[1], "collapse(3), three types and directions");               \
    cover_close(&c[2], "collapse(2) across 2^63");                               \
    cover_close(&c[3], "collapse(2), empty inner loop");                         \
  }

/* GCC allows no schedule clause on a triangular nest. */
#define DEFINE_TRIANGLE(CTAG, ...)                         \
  static void triangle_##CTAG(void) {                      \
    enum { n = 29 };                                       \
    struct cover c[2];                                     \
    cover_open(&c[0], n*(n + 1) / 2);                      \
    cover_open(&c[1], n*(n - 1) / 2);                      \
        OMP(parallel for collapse(2) __VA_ARGS__)          \
    for (int i = 0; i < n; i++) {                          \
      for (int j = 0; j <= i; j++) {                       \
        cover_hit(&c[0], (uint64_t)(i * (i + 1) / 2 + j)); \
      }                                                    \
    }                                                      \
        OMP(parallel for collapse(2) __VA_ARGS__)          \
    for (int i = 0; i < n; i++) {                          \
      for (int j = i + 1; j < n; j++) {                    \
        cover_hit(&c[1], (uint64_t)(j * (j - 1) / 2 + i)); \
      }                                                    \
    }                                                      \
    cover_close(&c[0], "lower triangle");                  \
    cover_close(&c[1], "upper triangle");                  \
  }

/* An inclusive scan: its loops are always static, and must stay what they are. */
static void scan(void) {
  enum { n = 300 };
  static int prefix[n];
  int sum = 0;
    OMP(parallel for reduction(inscan, + : sum))
    for (int i = 0; i < n; i++) {
      sum += i;
      OMP(scan inclusive(sum))
      prefix[i] = sum;
    }
    for (int i = 0; i < n; i++) {
      EXPECT(prefix[i] == i * (i + 1) / 2, "prefix %d is %d", i, prefix[i]);
    }
}

#ifdef __clang__
#define TRIANGLE_CLAUSES(X) ALL_CLAUSES(X)
#define CONDITIONAL_CLAUSES(X) /* Clang 19 gets these wrong even under static */
#else
#define TRIANGLE_CLAUSES(X) X(default, )
#define CONDITIONAL_CLAUSES(X) ALL_CLAUSES(X)
#endif
#define DEFINE_ALL(CTAG, ...)              \
  DEFINE_LAST(CTAG, __VA_ARGS__)           \
  DEFINE_LINEAR(CTAG, __VA_ARGS__)         \
  DEFINE_REDUCTION(CTAG, __VA_ARGS__)      \
  DEFINE_TASK_REDUCTION(CTAG, __VA_ARGS__) \
  DEFINE_COLLAPSE(CTAG, __VA_ARGS__)
ALL_CLAUSES(DEFINE_ALL)
TRIANGLE_CLAUSES(DEFINE_TRIANGLE)
CONDITIONAL_CLAUSES(DEFINE_CONDITIONAL)

#define CASES(CTAG, ...)                                                                                      \
  {"lastprivate." #CTAG, lastprivate_##CTAG}, {"last-nest." #CTAG, last_nest_##CTAG},                         \
      {"linear." #CTAG, linear_##CTAG}, {"reduction." #CTAG, reduction_##CTAG},                               \
      {"reduction-nowait." #CTAG, reduction_nowait_##CTAG}, {"task-reduction." #CTAG, task_reduction_##CTAG}, \
      {"collapse." #CTAG, collapse_##CTAG},
#define TRIANGLE_CASE(CTAG, ...) {"triangle." #CTAG, triangle_##CTAG},
#define CONDITIONAL_CASE(CTAG, ...) {"conditional." #CTAG, conditional_##CTAG},
static const struct test_case cases[] = {
    ALL_CLAUSES(CASES) TRIANGLE_CLAUSES(TRIANGLE_CASE) CONDITIONAL_CLAUSES(CONDITIONAL_CASE){"scan", scan},
};

int main(int argc, char** argv) { return RUN_CASES(argc, argv, cases); }
