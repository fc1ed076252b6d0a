/* SPDX-License-Identifier: Apache-2.0 */
/* Loops that get a share of contiguous iterations, as the rewriter makes them: with -DLIBRARY a shared object with one, which a program
   loads. Prints for each how many iterations the first and the last thread had, as they tell by their own addresses. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

extern int omp_get_thread_num(void);

#define N 1000

static pthread_t who[N];
static double values[N];
static double sum;
static int broken;

#define LOOP(number, flags, clauses, statement)                                                         \
  {                                                                                                     \
    const size_t n = N;                                                                                 \
    int slot, slots = steelyard_team_size();                                                            \
    _Pragma(clauses) for (slot = 0; slot < slots; ++slot) {                                             \
      static struct steelyard_site site = {"shares.c", number, 1, flags, 0, 0, 0, 0, {0, 0, 0}};        \
      struct steelyard_part part;                                                                       \
      for (steelyard_begin_slot(&part, &site, n, slot, slots); part.more != 0; steelyard_next(&part)) { \
        int i;                                                                                          \
        for (i = (int)part.begin; i < (int)part.end; ++i) statement;                                    \
      }                                                                                                 \
    }                                                                                                   \
  }

static void run(int i) {
  who[i] = pthread_self();
  values[i] = i;
}

static void plain(void) {
#pragma omp parallel
  LOOP(2001, 0, "omp for schedule(static, 1)", run(i))
}

static void check(int i) {
  if (!pthread_equal(who[i], pthread_self())) {
#pragma omp atomic
    ++broken;
  }
}

/* The second relies on the first, without a barrier. */
static void chain(void) {
#pragma omp parallel
  {
    LOOP(2002, 0, "omp for schedule(static, 1) nowait", run(i))
    LOOP(2003, 0, "omp for schedule(static, 1) nowait", check(i))
  }
}

static void reduction(void) {
#pragma omp parallel
  LOOP(2004, 1, "omp for schedule(static, 1) reduction(+ : sum)", (run(i), sum += 1.0 / (1 + i)))
}

static __attribute__((noinline)) int number(void) { return omp_get_thread_num(); }

/* Deals by the thread's number what the loop has dealt. */
static void asks(void) {
#pragma omp parallel
  {
    LOOP(2005, 0, "omp for schedule(static, 1) nowait", run(i))
    if (number() < 0) broken = 1;
  }
}

/* The same, but the source of the region shows it. */
static void shows(void) {
#pragma omp parallel
  {
    if (omp_get_thread_num() < 0) broken = 1;
    LOOP(2006, 16, "omp for schedule(static, 1)", run(i))
  }
}

static void combined(void) {
#pragma omp parallel
  {
    static struct steelyard_site site = {"shares.c", 2007, 1, 0, 0, 0, 0, 0, {0, 0, 0}};
    struct steelyard_part part;
    for (steelyard_begin(&part, &site, N); part.more != 0; steelyard_next(&part)) {
      int i;
      for (i = (int)part.begin; i < (int)part.end; ++i) run(i);
    }
  }
}

static const struct {
  const char* name;
  void (*loop)(void);
} loops[] = {{"plain", plain}, {"chain", chain}, {"reduction", reduction},
             {"asks", asks},   {"shows", shows}, {"combined", combined}};

#ifdef LIBRARY

int library_loop(void);
int library_loop(void) {
  unsigned k;
  for (k = 0; k < sizeof loops / sizeof loops[0]; ++k) loops[k].loop();
  return broken; /* and no jump into the last of them */
}

#else

/* How many there are like that at one end. */
static int alike(int from, int step) {
  int i = from;
  while (i >= 0 && i < N && pthread_equal(who[i], who[from])) i += step;
  return step > 0 ? i - from : from - i;
}

int main(int count, char** words) {
  unsigned k;
  int round;
  if (count > 2) {
    void* const library = dlopen(words[2], RTLD_NOW);
    int (*loop)(void);
    if (library == NULL) return 1;
    *(void**)&loop = dlsym(library, "library_loop");
    for (round = 0; round < 3; ++round) broken += loop();
    dlclose(library);
  }
  for (k = 0; k < sizeof loops / sizeof loops[0]; ++k) {
    if (strcmp(words[1], loops[k].name) != 0) continue;
    for (round = 0; round < 3; ++round) {
      sum = 0;
      loops[k].loop();
    }
    for (round = 0; round < N; ++round) broken += values[round] != round;
    printf("%d %d %.3f %d\n", alike(0, 1), alike(N - 1, -1), sum, broken);
  }
  return 5;
}

#endif
