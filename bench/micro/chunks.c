// SPDX-License-Identifier: Apache-2.0
// What it costs to hand out the iterations of a loop with an empty body.
//   chunks CLAUSE ITERATIONS BATCHES MILLISECONDS
// prints one line per batch: nanoseconds of wall time per iteration. A batch repeats the loop until it lasts
// MILLISECONDS. CLAUSE is what stands in the source: dynamic | monotonic | runtime.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// Keeps an empty loop a loop.
#define NOTHING __asm__ volatile("" : : "r"(i) : "memory")

static void loop_dynamic(long iterations) {
#pragma omp parallel for schedule(dynamic, 1)
  for (long i = 0; i < iterations; ++i) NOTHING;
}

static void loop_monotonic(long iterations) {
#pragma omp parallel for schedule(monotonic : dynamic, 1)
  for (long i = 0; i < iterations; ++i) NOTHING;
}

static void loop_runtime(long iterations) {
#pragma omp parallel for schedule(runtime)
  for (long i = 0; i < iterations; ++i) NOTHING;
}

typedef void loop(long iterations);

static loop* loop_of(const char* clause) {
  if (strcmp(clause, "dynamic") == 0) return loop_dynamic;
  if (strcmp(clause, "monotonic") == 0) return loop_monotonic;
  if (strcmp(clause, "runtime") == 0) return loop_runtime;
  return NULL;
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double seconds_of(loop* run, long iterations, long times) {
  const double began = now();
  for (long i = 0; i < times; ++i) run(iterations);
  return now() - began;
}

// How often the loop must run to last `seconds`; the runs that find out warm everything up.
static long repetitions(loop* run, long iterations, double seconds) {
  long times = 1;
  while (seconds_of(run, iterations, times) < seconds) times *= 2;
  return times;
}

int main(int argc, char** argv) {
  loop* const run = argc == 5 ? loop_of(argv[1]) : NULL;
  if (run == NULL) {
    fputs("usage: chunks dynamic|monotonic|runtime ITERATIONS BATCHES MILLISECONDS\n", stderr);
    return 2;
  }
  const long iterations = atol(argv[2]);
  const long times = repetitions(run, iterations, 1e-3 * atof(argv[4]));
  for (long batch = atol(argv[3]); batch > 0; --batch)
    printf("%.6f\n", 1e9 * seconds_of(run, iterations, times) / ((double)iterations * (double)times));
  return 0;
}
