// SPDX-License-Identifier: Apache-2.0
/// A static loop, run again and again: `balanced`, where each iteration takes the same, or `triangle`, where the first takes nothing and
/// the last the most. Prints, from the third instance on, the time of all, the median of time / limit, and how many iterations the thread
/// had that ran the first. The limit is the threads' time in the loop, shared equally.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { learning = 2 };  // instances that are not counted

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/// So many dependent steps, of which a compiler cannot make fewer.
static unsigned long work(unsigned long seed, long steps) {
  for (long i = 0; i < steps; ++i) seed = (seed ^ (seed >> 29)) * 6364136223846793005UL + 1;
  return seed;
}

static int less(const void* a, const void* b) {
  const double x = *(const double*)a;
  const double y = *(const double*)b;
  return (x > y) - (x < y);
}

int main(int argc, char** argv) {
  const int triangle = argc > 1 && strcmp(argv[1], "triangle") == 0;
  const long n = argc > 2 ? atol(argv[2]) : 4000;
  const long steps = argc > 3 ? atol(argv[3]) : 2000;  // of an iteration, on average
  const int instances = learning + (argc > 4 ? atoi(argv[4]) : 50);
  unsigned long* const results = calloc((size_t)n, sizeof *results);
  const void** const who = calloc((size_t)n, sizeof *who);
  double* const times_limit = calloc((size_t)instances, sizeof *times_limit);
  double all = 0;
  if (results == NULL || who == NULL || times_limit == NULL) return 1;
  for (int instance = 0; instance < instances; ++instance) {
    double busy = 0;
    long members = 0;
    const double began = now();
#pragma omp parallel
    {
      char mine = 0;
      const double came = now();
#pragma omp for nowait
      for (long i = 0; i < n; ++i) {
        results[i] += work((unsigned long)i, triangle ? 2 * steps * i / n : steps);
        who[i] = &mine;
      }
      const double took = now() - came;
#pragma omp atomic
      busy += took;
#pragma omp atomic
      ++members;
    }
    const double took = now() - began;
    if (instance < learning) continue;
    all += took;
    times_limit[instance - learning] = took * (double)members / busy;
  }
  const int counted = instances - learning;
  qsort(times_limit, (size_t)counted, sizeof *times_limit, less);
  long first = 1;
  while (first < n && who[first] == who[0]) ++first;
  unsigned long sum = 0;
  for (long i = 0; i < n; ++i) sum += results[i];
  printf("seconds %.6f, of the limit %.4f, first block %ld of %ld, result %lx\n", all, times_limit[counted / 2], first,
         n, sum);
  free(results);
  free(who);
  free(times_limit);
  return 0;
}
