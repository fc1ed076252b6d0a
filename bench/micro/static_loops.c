// SPDX-License-Identifier: Apache-2.0
/// A loop, run again and again:
/// - `balanced`: each iteration takes the same;
/// - `triangle`: the first takes nothing and the last the most;
/// - `new` and `seen`: costs rise or fall on a line, which changes every ten instances: to one that was never there before, or to the
///   next of three.
/// All have the same work in each instance. Prints, without the first ones, the time of all, the median of time / limit, and how many
/// iterations the thread had that ran the first. The limit is the threads' time in the loop, shared equally. CLAUSE: of the loop.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifndef CLAUSE
#define CLAUSE
#endif

enum { learning = 2, phase = 10, lines = 3 };  // in instances; how many lines come again

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

/// In [-1, 1).
static double slope_of(unsigned number) { return 2 * ((double)(work(number + 1, 3) >> 11) / 9007199254740992.0) - 1; }

/// By how much the last iteration takes longer than the mean, of the mean; the first so much less.
static double slope_at(const char* kind, int instance) {
  const unsigned at = (unsigned)instance / phase;
  if (strcmp(kind, "triangle") == 0) return 1;
  if (strcmp(kind, "new") == 0) return slope_of(at);
  if (strcmp(kind, "seen") == 0) return 0.9 * ((int)(at % lines) - 1);
  return 0;
}

/// Instances that are not counted: until there is something to be learnt from.
static int first_counted(const char* kind) {
  if (strcmp(kind, "new") == 0) return phase;
  return strcmp(kind, "seen") == 0 ? lines * phase : learning;
}

static int less(const void* a, const void* b) {
  const double x = *(const double*)a;
  const double y = *(const double*)b;
  return (x > y) - (x < y);
}

int main(int argc, char** argv) {
  const char* const kind = argc > 1 ? argv[1] : "balanced";
  const long n = argc > 2 ? atol(argv[2]) : 4000;
  const long steps = argc > 3 ? atol(argv[3]) : 2000;  // of an iteration, on average
  const int first = first_counted(kind);
  const int instances = first + (argc > 4 ? atoi(argv[4]) : 50);
  unsigned long* const results = calloc((size_t)n, sizeof *results);
  const void** const who = calloc((size_t)n, sizeof *who);
  double* const times_limit = calloc((size_t)instances, sizeof *times_limit);
  double all = 0;
  if (results == NULL || who == NULL || times_limit == NULL) return 1;
  for (int instance = 0; instance < instances; ++instance) {
    const double slope = slope_at(kind, instance);
    double busy = 0;
    long members = 0;
    const double began = now();
#pragma omp parallel
    {
      char mine = 0;
      const double came = now();
#pragma omp for CLAUSE nowait
      for (long i = 0; i < n; ++i) {
        results[i] += work((unsigned long)i, (long)((double)steps * (1 + slope * (2 * (double)i / (double)n - 1))));
        who[i] = &mine;
      }
      const double took = now() - came;
#pragma omp atomic
      busy += took;
#pragma omp atomic
      ++members;
    }
    const double took = now() - began;
    if (instance < first) continue;
    all += took;
    times_limit[instance - first] = took * (double)members / busy;
  }
  const int counted = instances - first;
  qsort(times_limit, (size_t)counted, sizeof *times_limit, less);
  long block = 1;
  while (block < n && who[block] == who[0]) ++block;
  unsigned long sum = 0;
  for (long i = 0; i < n; ++i) sum += results[i];
  printf("seconds %.6f, of the limit %.4f, first block %ld of %ld, result %lx\n", all, times_limit[counted / 2], block,
         n, sum);
  free(results);
  free(who);
  free(times_limit);
  return 0;
}
