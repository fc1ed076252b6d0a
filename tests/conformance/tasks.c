/* SPDX-License-Identifier: Apache-2.0 */
/* Loops among the other constructs: sections, single, tasks, taskloop, simd. */
#include "harness.h"

#include <omp.h>

#define DEFINE_SECTIONS(CTAG, ...)                 \
  static void sections_##CTAG(void) {              \
    enum { rounds = 30 };                          \
    struct cover c;                                \
    cover_open(&c, rounds * 50);                   \
    OMP(parallel)                                  \
    for (int r = 0; r < rounds; r++) {             \
      uint64_t base = (uint64_t)r * 50;            \
            OMP(for nowait __VA_ARGS__)            \
      for (int i = 0; i < 20; i++) {               \
        cover_hit(&c, base + (uint64_t)i);         \
      }                                            \
      OMP(sections nowait) {                       \
        OMP(section)                               \
        cover_hit(&c, base + 20);                  \
        OMP(section)                               \
        cover_hit(&c, base + 21);                  \
        OMP(section)                               \
        cover_hit(&c, base + 22);                  \
      }                                            \
      OMP(single nowait)                           \
      cover_hit(&c, base + 23);                    \
            OMP(for __VA_ARGS__)                   \
      for (int i = 49; i >= 24; i--) {             \
        cover_hit(&c, base + (uint64_t)i);         \
      }                                            \
    }                                              \
    cover_close(&c, "for, sections, single, for"); \
  }

#define DEFINE_TASKS(CTAG, ...)                                              \
  static void tasks_in_loop_##CTAG(void) {                                   \
    struct cover c;                                                          \
    cover_open(&c, 200 * 2);                                                 \
        OMP(parallel for __VA_ARGS__)                                        \
    for (int i = 0; i < 200; i++) {                                          \
      OMP(task firstprivate(i) shared(c))                                    \
      cover_hit(&c, (uint64_t)(2 * i));                                      \
      OMP(task firstprivate(i) shared(c))                                    \
      cover_hit(&c, (uint64_t)(2 * i + 1));                                  \
      if (i % 3 == 0) {                                                      \
        OMP(taskwait)                                                        \
      } else if (i % 3 == 1) {                                               \
        OMP(taskyield)                                                       \
      }                                                                      \
    }                                                                        \
    cover_close(&c, "tasks made in a loop");                                 \
  }                                                                          \
  static void loops_in_tasks_##CTAG(void) {                                  \
    struct cover c;                                                          \
    cover_open(&c, 12 * 40);                                                 \
    OMP(parallel) {                                                          \
      OMP(single nowait)                                                     \
      for (int t = 0; t < 12; t++) {                                         \
        OMP(task firstprivate(t) shared(c)) {                                \
                    OMP(parallel for num_threads(2) __VA_ARGS__)             \
          for (int i = 0; i < 40; i++) {                                     \
            cover_hit(&c, (uint64_t)(t * 40 + i));                           \
          }                                                                  \
        }                                                                    \
      }                                                                      \
    }                                                                        \
    cover_close(&c, "parallel loops in tasks");                              \
  }                                                                          \
  static void task_loops_in_loop_##CTAG(void) {                              \
    struct cover c;                                                          \
    cover_open(&c, 40 * 12);                                                 \
        OMP(parallel for __VA_ARGS__)                                        \
    for (int t = 0; t < 40; t++) {                                           \
      OMP(task firstprivate(t) shared(c)) {                                  \
                OMP(parallel for num_threads(2) __VA_ARGS__)                 \
        for (int i = 0; i < 11; i++) {                                       \
          cover_hit(&c, (uint64_t)(t * 12 + i));                             \
        }                                                                    \
      }                                                                      \
      OMP(taskwait)                                                          \
      cover_hit(&c, (uint64_t)(t * 12 + 11));                                \
    }                                                                        \
    cover_close(&c, "parallel loops in tasks in a loop");                    \
  }                                                                          \
  static void taskloop_##CTAG(void) {                                        \
    struct cover c;                                                          \
    cover_open(&c, 10 * 100);                                                \
    OMP(parallel)                                                            \
    for (int r = 0; r < 10; r++) {                                           \
            OMP(for nowait __VA_ARGS__)                                      \
      for (int i = 0; i < 30; i++) {                                         \
        cover_hit(&c, (uint64_t)(r * 100 + i));                              \
      }                                                                      \
      OMP(single nowait) {                                                   \
        OMP(taskloop grainsize(5) shared(c))                                 \
        for (int i = 30; i < 70; i++) {                                      \
          cover_hit(&c, (uint64_t)(r * 100 + i));                            \
        }                                                                    \
      }                                                                      \
            OMP(for __VA_ARGS__)                                             \
      for (int i = 70; i < 100; i++) {                                       \
        cover_hit(&c, (uint64_t)(r * 100 + i));                              \
      }                                                                      \
    }                                                                        \
    cover_close(&c, "taskloop between loops");                               \
  }                                                                          \
  static void critical_##CTAG(void) {                                        \
    long plain = 0, order = 0;                                               \
        OMP(parallel for __VA_ARGS__)                                        \
    for (int i = 0; i < 300; i++) {                                          \
      OMP(critical)                                                          \
      plain += i;                                                            \
      if (i % 50 == 0) {                                                     \
        OMP(critical(other))                                                 \
        order++;                                                             \
      }                                                                      \
    }                                                                        \
    EXPECT(plain == 44850 && order == 6, "critical: %ld %ld", plain, order); \
  }

/* simd loops in dynamic chunks; the simd modifier rounds chunks up, no more. */
#define SIMD_CLAUSES(X)                                          \
  X(dynamic, schedule(simd : dynamic))                           \
  X(dynamic_3, schedule(simd : dynamic, 3))                      \
  X(guided, schedule(simd : guided))                             \
  X(guided_5, schedule(simd : guided, 5))                        \
  X(runtime, schedule(simd : runtime))                           \
  X(plain_dynamic, schedule(dynamic, 2))                         \
  X(monotonic_simd_dynamic, schedule(monotonic, simd : dynamic)) \
  X(static, schedule(simd : static, 3))
#define DEFINE_SIMD(CTAG, ...)                                                   \
  static void simd_##CTAG(void) {                                                \
    enum { n = 1003 };                                                           \
    static int out[n];                                                           \
    int last = -1, end = 5;                                                      \
    for (int round = 1; round <= 5; round++) {                                   \
      OMP(parallel) {                                                            \
                OMP(for simd __VA_ARGS__)                                        \
        for (int i = 0; i < n; i++) {                                            \
          out[i] += i * round;                                                   \
        }                                                                        \
      }                                                                          \
            OMP(parallel for simd lastprivate(last) linear(end : 2) __VA_ARGS__) \
      for (int i = 0; i < n; i++) {                                              \
        last = i;                                                                \
        end += 2;                                                                \
      }                                                                          \
      EXPECT(last == n - 1, "simd lastprivate is %d", last);                     \
      EXPECT(end == 5 + 2 * n * round, "simd linear ends at %d", end);           \
    }                                                                            \
    for (int i = 0; i < n; i++) {                                                \
      EXPECT(out[i] == 15 * i, "element %d is %d, not %d", i, out[i], 15 * i);   \
    }                                                                            \
  }

static void concurrent(void) {
  struct cover c[2];
  cover_open(&c[0], 300);
  cover_open(&c[1], 300);
    OMP(parallel for order(concurrent) schedule(dynamic, 4))
    for (int i = 0; i < 300; i++) {
      c[0].hits[i]++;
    }
    OMP(parallel) {
      OMP(loop)
      for (int i = 0; i < 300; i++) {
        c[1].hits[i]++;
      }
    }
    cover_close(&c[0], "order(concurrent)");
    cover_close(&c[1], "loop");
}

#define DEFINE_ALL(CTAG, ...)        \
  DEFINE_SECTIONS(CTAG, __VA_ARGS__) \
  DEFINE_TASKS(CTAG, __VA_ARGS__)
ALL_CLAUSES(DEFINE_ALL)
SIMD_CLAUSES(DEFINE_SIMD)

#define CASES(CTAG, ...)                                                                                          \
  {"sections." #CTAG, sections_##CTAG}, {"tasks-in-loop." #CTAG, tasks_in_loop_##CTAG},                           \
      {"loops-in-tasks." #CTAG, loops_in_tasks_##CTAG}, {"task-loops-in-loop." #CTAG, task_loops_in_loop_##CTAG}, \
      {"taskloop." #CTAG, taskloop_##CTAG}, {"critical." #CTAG, critical_##CTAG},
#define SIMD_CASE(CTAG, ...) {"simd." #CTAG, simd_##CTAG},
static const struct test_case cases[] = {
    ALL_CLAUSES(CASES) SIMD_CLAUSES(SIMD_CASE){"concurrent", concurrent},
};

int main(int argc, char** argv) {
  omp_set_max_active_levels(2);
  return RUN_CASES(argc, argv, cases);
}
