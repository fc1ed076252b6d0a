/* SPDX-License-Identifier: Apache-2.0
 * In each iteration of a loop that is taken a region with a loop that is not: within HOW THREADS, where HOW is `monotonic` (the outer one is
 * dynamic) or `dynamic` (it is `runtime`). It prints how many iterations of both did not run once, and how many were none. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OUTER = 2000, INNER = 4 };

static int outer_ran[OUTER], inner_ran[OUTER][INNER];
static int none;

static void ran(int o, long k) {
  volatile long seen = k;
  const long at = seen;
  if (at >= 0 && at < INNER) {
    __atomic_fetch_add(&inner_ran[o][at], 1, __ATOMIC_RELAXED);
  } else {
    __atomic_fetch_add(&none, 1, __ATOMIC_RELAXED);
  }
}

static __attribute__((noinline)) void monotonic(int o, int threads) {
#pragma omp parallel for schedule(monotonic : dynamic, 1) num_threads(threads)
  for (long k = 0; k < INNER; ++k) ran(o, k);
}

static __attribute__((noinline)) void dynamic(int o, int threads) {
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
  for (long k = 0; k < INNER; ++k) ran(o, k);
}

int main(int count, char** words) {
  if (count < 3) return 2;
  const int threads = atoi(words[2]);
  omp_set_max_active_levels(2);
  if (strcmp(words[1], "monotonic") == 0) {
#pragma omp parallel for schedule(dynamic, 1) num_threads(2)
    for (int o = 0; o < OUTER; ++o) {
      __atomic_fetch_add(&outer_ran[o], 1, __ATOMIC_RELAXED);
      monotonic(o, threads);
    }
  } else {
#pragma omp parallel for schedule(runtime) num_threads(2)
    for (int o = 0; o < OUTER; ++o) {
      __atomic_fetch_add(&outer_ran[o], 1, __ATOMIC_RELAXED);
      dynamic(o, threads);
    }
  }
  int outer = 0, inner = 0;
  for (int o = 0; o < OUTER; ++o) {
    outer += outer_ran[o] != 1;
    for (int k = 0; k < INNER; ++k) inner += inner_ran[o][k] != 1;
  }
  printf("%d %d %d\n", outer, inner, none);
  return 0;
}
