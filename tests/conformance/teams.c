/* SPDX-License-Identifier: Apache-2.0 */
/* Loops against the shape of the team: many in flight at once, nested, orphaned, alone,
 * in leagues, and in teams that change size. */
#include "harness.h"

#include <omp.h>

enum { row = 20, region_loops = 600, most_members = 17 };

/* One member arrives late, so the others run through all the loops of the row before it
 * has entered the first; native libomp holds them after seven, hence the time limit. */
static void let_others_finish(const int* finished, int others) {
  for (int spent = 0; spent < 40; spent++) {
    if (__atomic_load_n(finished, __ATOMIC_ACQUIRE) >= others) {
      return;
    }
    linger(50);
  }
}

#define DEFINE_NOWAIT(CTAG, ...)                                          \
  static void nowait_row_##CTAG(void) {                                   \
    for (int round = 0; round < 4; round++) {                             \
      struct cover c[row];                                                \
      int finished = 0;                                                   \
      covers_open(c, row, 37);                                            \
      OMP(parallel) {                                                     \
        int members = omp_get_num_threads();                              \
        if (omp_get_thread_num() == round % members) {                    \
          let_others_finish(&finished, members - 1);                      \
        }                                                                 \
        for (int l = 0; l < row; l++) {                                   \
                    OMP(for nowait __VA_ARGS__)                           \
          for (int i = 0; i < 37; i++) {                                  \
            cover_hit(&c[l], (uint64_t)i);                                \
          }                                                               \
        }                                                                 \
        __atomic_fetch_add(&finished, 1, __ATOMIC_RELEASE);               \
      }                                                                   \
      for (int l = 0; l < row; l++) {                                     \
        cover_close(&c[l], "round %d, loop %d of the row", round, l);     \
      }                                                                   \
    }                                                                     \
  }                                                                       \
  static void nowait_600_##CTAG(void) {                                   \
    struct cover c;                                                       \
    cover_open(&c, region_loops * 9);                                     \
    OMP(parallel)                                                         \
    for (int l = 0; l < region_loops; l++) {                              \
      if (scatter((unsigned)(l * 31 + omp_get_thread_num())) % 97 == 0) { \
        linger(40);                                                       \
      }                                                                   \
            OMP(for nowait __VA_ARGS__)                                   \
      for (int i = 0; i < l % 10; i++) {                                  \
        cover_hit(&c, (uint64_t)(l * 9 + i));                             \
      }                                                                   \
            OMP(for nowait __VA_ARGS__)                                   \
      for (long i = 8; i >= l % 10; i--) {                                \
        cover_hit(&c, (uint64_t)(l * 9 + i));                             \
      }                                                                   \
    }                                                                     \
    cover_close(&c, "1200 loops in a region");                            \
  }

/* 17 loops of every kind in flight together. */
#define ONE_OF_MANY(CTAG, ...)                 \
    OMP(for nowait __VA_ARGS__)                \
  for (int i = 0; i < 11; i++) {               \
    cover_hit(&c, (uint64_t)(round * 11 + i)); \
  }                                            \
  round++;
static void nowait_mixed(void) {
  struct cover c;
  cover_open(&c, 40 * 15 * 11);
  OMP(parallel) {
    int round = 0;
    while (round < 40 * 15) {
      if (round / 15 % omp_get_num_threads() == omp_get_thread_num()) {
        linger(60);
      }
      ALL_CLAUSES(ONE_OF_MANY)
    }
  }
  cover_close(&c, "fifteen clauses in a row");
}

/* Bounds that only the members know, and an ordinary barrier after each loop. */
#define DEFINE_ROUNDS(CTAG, ...)                                   \
  static void rounds_##CTAG(void) {                                \
    struct cover c;                                                \
    cover_open(&c, 100 * 50);                                      \
    OMP(parallel)                                                  \
    for (long round = 0; round < 100; round++) {                   \
      long members = omp_get_num_threads();                        \
      long from = round * 50 * members;                            \
            OMP(for __VA_ARGS__)                                   \
      for (long i = from; i < from + 50 * members; i += members) { \
        cover_hit(&c, (uint64_t)(i / members));                    \
      }                                                            \
    }                                                              \
    cover_close(&c, "100 loops with a barrier each");              \
  }

#define DEFINE_NESTED(CTAG, ...)                                     \
  static void nested_##CTAG(void) {                                  \
    for (int levels = 1; levels <= 3; levels++) {                    \
      struct cover c;                                                \
      cover_open(&c, 6 * 9 * 5);                                     \
      omp_set_max_active_levels(levels);                             \
            OMP(parallel for num_threads(2) __VA_ARGS__)             \
      for (int i = 0; i < 6; i++) {                                  \
        OMP(parallel num_threads(3)) {                               \
                    OMP(for nowait __VA_ARGS__)                      \
          for (int j = 0; j < 4; j++) {                              \
                        OMP(parallel for num_threads(2) __VA_ARGS__) \
            for (int k = 0; k < 5; k++) {                            \
              cover_hit(&c, (uint64_t)((i * 9 + j) * 5 + k));        \
            }                                                        \
          }                                                          \
                    OMP(for __VA_ARGS__)                             \
          for (int j = 8; j >= 4; j--) {                             \
                        OMP(parallel for num_threads(2) __VA_ARGS__) \
            for (int k = 0; k < 5; k++) {                            \
              cover_hit(&c, (uint64_t)((i * 9 + j) * 5 + k));        \
            }                                                        \
          }                                                          \
        }                                                            \
      }                                                              \
      cover_close(&c, "%d active levels", levels);                   \
    }                                                                \
    omp_set_max_active_levels(1);                                    \
  }

#define DEFINE_ORPHAN(CTAG, ...)                                              \
  static __attribute__((noinline)) void orphan_loop_##CTAG(struct cover* c) { \
        OMP(for __VA_ARGS__)                                                  \
    for (unsigned i = 3; i < 303; i += 3) {                                   \
      cover_hit(c, i / 3 - 1);                                                \
    }                                                                         \
  }                                                                           \
  static void orphan_##CTAG(void) {                                           \
    struct cover c[5];                                                        \
    covers_open(c, 5, 100);                                                   \
    orphan_loop_##CTAG(&c[0]);                                                \
    OMP(parallel)                                                             \
    orphan_loop_##CTAG(&c[1]);                                                \
    OMP(parallel num_threads(1))                                              \
    orphan_loop_##CTAG(&c[2]);                                                \
    OMP(parallel if (chunk_variable < 0))                                     \
    orphan_loop_##CTAG(&c[3]);                                                \
    OMP(parallel) {                                                           \
      OMP(single) {                                                           \
        OMP(parallel)                                                         \
        orphan_loop_##CTAG(&c[4]);                                            \
      }                                                                       \
    }                                                                         \
    cover_close(&c[0], "outside a region");                                   \
    cover_close(&c[1], "inside a region");                                    \
    cover_close(&c[2], "num_threads(1)");                                     \
    cover_close(&c[3], "if(0)");                                              \
    cover_close(&c[4], "serialised inner region");                            \
  }

#define DEFINE_ALONE(CTAG, ...)                               \
  static void alone_##CTAG(void) {                            \
    struct cover c[3];                                        \
    covers_open(c, 3, 77);                                    \
        OMP(parallel for num_threads(1) __VA_ARGS__)          \
    for (int i = 0; i < 77; i++) {                            \
      cover_hit(&c[0], (uint64_t)i);                          \
    }                                                         \
        OMP(parallel for if (chunk_variable < 0) __VA_ARGS__) \
    for (int i = 76; i >= 0; i--) {                           \
      cover_hit(&c[1], (uint64_t)i);                          \
    }                                                         \
        OMP(for __VA_ARGS__)                                  \
    for (unsigned long long i = 0; i < 77; i++) {             \
      cover_hit(&c[2], i);                                    \
    }                                                         \
    cover_close(&c[0], "num_threads(1)");                     \
    cover_close(&c[1], "if(0)");                              \
    cover_close(&c[2], "no region");                          \
  }

/* The first form asks by clause, the second by omp_set_num_threads between regions. */
#define DEFINE_SIZES(CTAG, ...)                                                 \
  static void team_sizes_##CTAG(void) {                                         \
    static const int trips[] = {0, 1, 3, 17, 100};                              \
    int before = omp_get_max_threads();                                         \
    for (int t = 1; t <= most_members; t++) {                                   \
      int members = t % 2 ? t : most_members + 1 - t;                           \
      int n = trips[t % 5];                                                     \
      struct cover c[2];                                                        \
      cover_open(&c[0], (uint64_t)n);                                           \
      cover_open(&c[1], (uint64_t)n);                                           \
            OMP(parallel for num_threads(members) __VA_ARGS__)                  \
      for (int i = 0; i < n; i++) {                                             \
        cover_hit(&c[0], (uint64_t)i);                                          \
      }                                                                         \
      omp_set_num_threads(members);                                             \
      OMP(parallel) {                                                           \
                OMP(for __VA_ARGS__)                                            \
        for (int i = n - 1; i >= 0; i--) {                                      \
          cover_hit(&c[1], (uint64_t)i);                                        \
        }                                                                       \
      }                                                                         \
      cover_close(&c[0], "num_threads(%d), %d iterations", members, n);         \
      cover_close(&c[1], "omp_set_num_threads(%d), %d iterations", members, n); \
    }                                                                           \
    omp_set_num_threads(before);                                                \
  }

#define DEFINE_LEAGUE(CTAG, ...)                                    \
  static void league_##CTAG(void) {                                 \
    struct cover c;                                                 \
    cover_open(&c, 500);                                            \
        OMP(teams distribute parallel for num_teams(2) __VA_ARGS__) \
    for (int i = 0; i < 500; i++) {                                 \
      cover_hit(&c, (uint64_t)i);                                   \
    }                                                               \
    cover_close(&c, "teams distribute parallel for");               \
  }

static int private_count;
OMP(threadprivate(private_count))
#define DEFINE_THREADPRIVATE(CTAG, ...)                           \
  static void threadprivate_##CTAG(void) {                        \
    int total = 0;                                                \
    private_count = 40;                                           \
    OMP(parallel copyin(private_count)) {                         \
            OMP(for __VA_ARGS__)                                  \
      for (int i = 0; i < 300; i++) {                             \
        private_count++;                                          \
      }                                                           \
      OMP(atomic)                                                 \
      total += private_count - 40;                                \
    }                                                             \
    EXPECT(total == 300, "the members counted %d of 300", total); \
  }

static void count_runtime_loop(const char* what) {
  struct cover c;
  cover_open(&c, 211);
  OMP(parallel) {
        OMP(for schedule(runtime))
        for (int i = 0; i < 211; i++) {
          cover_hit(&c, (uint64_t)i);
        }
  }
  cover_close(&c, "%s", what);
}

/* What a program sets it must read back, and its runtime loops stay right. */
static void set_schedule(void) {
  static const struct {
    omp_sched_t kind;
    int chunk;
    const char* what;
  } wanted[] = {
      {omp_sched_dynamic, 5, "dynamic,5"}, {omp_sched_guided, 2, "guided,2"}, {omp_sched_static, 0, "static"},
      {omp_sched_static, 9, "static,9"},   {omp_sched_auto, 0, "auto"},       {omp_sched_dynamic, 0, "dynamic"},
  };
  omp_sched_t first_kind;
  int first_chunk;
  omp_get_schedule(&first_kind, &first_chunk);
  for (int k = 0; k < 6; k++) {
    omp_sched_t kind;
    int chunk;
    omp_set_schedule(wanted[k].kind, wanted[k].chunk);
    omp_get_schedule(&kind, &chunk);
    EXPECT(((unsigned)kind & 0xff) == (unsigned)wanted[k].kind, "%s reads back as kind %d", wanted[k].what, (int)kind);
    EXPECT(wanted[k].chunk == 0 || chunk == wanted[k].chunk, "%s reads back as chunk %d", wanted[k].what, chunk);
    count_runtime_loop(wanted[k].what);
  }
  omp_set_schedule(first_kind, first_chunk);
}

/* Two regions of several loops each that set the schedule inside the region. */
static void set_schedule_inside(void) {
  struct cover c;
  cover_open(&c, 30 * 20);
  OMP(parallel)
  for (int l = 0; l < 30; l++) {
    omp_set_schedule(l % 2 ? omp_sched_guided : omp_sched_dynamic, 1 + l % 4);
        OMP(for schedule(runtime) nowait)
        for (int i = 0; i < 20; i++) {
          cover_hit(&c, (uint64_t)(l * 20 + i));
        }
  }
  cover_close(&c, "omp_set_schedule inside a region");
}

#define DEFINE_ALL(CTAG, ...)      \
  DEFINE_NOWAIT(CTAG, __VA_ARGS__) \
  DEFINE_ROUNDS(CTAG, __VA_ARGS__) \
  DEFINE_NESTED(CTAG, __VA_ARGS__) \
  DEFINE_ORPHAN(CTAG, __VA_ARGS__) \
  DEFINE_ALONE(CTAG, __VA_ARGS__)  \
  DEFINE_SIZES(CTAG, __VA_ARGS__)  \
  DEFINE_LEAGUE(CTAG, __VA_ARGS__) \
  DEFINE_THREADPRIVATE(CTAG, __VA_ARGS__)
ALL_CLAUSES(DEFINE_ALL)

#define CASES(CTAG, ...)                                                                                          \
  {"nowait-row." #CTAG, nowait_row_##CTAG}, {"nowait-600." #CTAG, nowait_600_##CTAG},                             \
      {"rounds." #CTAG, rounds_##CTAG}, {"nested." #CTAG, nested_##CTAG}, {"orphan." #CTAG, orphan_##CTAG},       \
      {"alone." #CTAG, alone_##CTAG}, {"team-sizes." #CTAG, team_sizes_##CTAG}, {"league." #CTAG, league_##CTAG}, \
      {"threadprivate." #CTAG, threadprivate_##CTAG},
static const struct test_case cases[] = {
    ALL_CLAUSES(CASES){"nowait-mixed", nowait_mixed},
    {"set-schedule", set_schedule},
    {"set-schedule-inside", set_schedule_inside},
};

int main(int argc, char** argv) {
  omp_set_dynamic(0);
  return RUN_CASES(argc, argv, cases);
}
