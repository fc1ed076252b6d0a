// SPDX-License-Identifier: Apache-2.0
/// Loops of eight iterations that do next to nothing, run again and again. Prints what one takes, in ns:
/// - `separate`: one in a region;
/// - `reduced`: the same with a reduction, which takes a worksharing construct;
/// - `combined`: with its own region.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { iterations = 8 };

static long counts[iterations];

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return 1e9 * (double)time.tv_sec + (double)time.tv_nsec;
}

static void separate(long loops) {
#pragma omp parallel
  for (long loop = 0; loop < loops; ++loop) {
#pragma omp for nowait
    for (int i = 0; i < iterations; ++i) counts[i] += loop;
  }
}

static void reduced(long loops) {
  long all = 0;
#pragma omp parallel
  for (long loop = 0; loop < loops; ++loop) {
#pragma omp for nowait reduction(+ : all)
    for (int i = 0; i < iterations; ++i) {
      counts[i] += loop;
      all += i;
    }
  }
  counts[0] += all;
}

static void combined(long loops) {
  for (long loop = 0; loop < loops; ++loop) {
#pragma omp parallel for
    for (int i = 0; i < iterations; ++i) counts[i] += loop;
  }
}

int main(int argc, char** argv) {
  const char* const kind = argc > 1 ? argv[1] : "separate";
  const long loops = argc > 2 ? atol(argv[2]) : 200000;
  if (loops < 1) return 2;
  void (*const run)(long) = strcmp(kind, "reduced") == 0    ? reduced
                            : strcmp(kind, "combined") == 0 ? combined
                                                            : separate;
  run(loops / 10);
  const double began = now();
  run(loops);
  const double took = now() - began;
  long sum = 0;
  for (int i = 0; i < iterations; ++i) sum += counts[i];
  printf("%.2f ns a loop, sum %ld\n", took / (double)loops, sum);
  return 0;
}
