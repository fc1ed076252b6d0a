// SPDX-License-Identifier: Apache-2.0
#include "report.h"

#include <omp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void report_add(run_times* times, double seconds) {
  if (times->count < report_most_runs) times->seconds[times->count++] = seconds;
}

static int compare_doubles(const void* left, const void* right) {
  const double a = *(const double*)left;
  const double b = *(const double*)right;
  return (a > b) - (a < b);
}

void report_print(const run_times* times) {
  double sorted[report_most_runs];
  const int count = times->count;
  if (count == 0) return;
  for (int i = 0; i < count; ++i) printf("run %d: %.6f s\n", i + 1, times->seconds[i]);
  memcpy(sorted, times->seconds, (size_t)count * sizeof sorted[0]);
  qsort(sorted, (size_t)count, sizeof sorted[0], compare_doubles);
  printf("kernel: median %.6f s, best %.6f s of %d %s, %d threads\n", (sorted[(count - 1) / 2] + sorted[count / 2]) / 2,
         sorted[0], count, count == 1 ? "run" : "runs", omp_get_max_threads());
}

int report_verified(void) {
  puts("verified");
  return EXIT_SUCCESS;
}

int report_not_verified(void) {
  puts("not verified (--no-verify)");
  return EXIT_SUCCESS;
}

int report_wrong(const char* format, ...) {
  va_list values;
  fflush(stdout);
  fputs("WRONG: ", stderr);
  va_start(values, format);
  vfprintf(stderr, format, values);
  va_end(values);
  fputc('\n', stderr);
  return EXIT_FAILURE;
}
