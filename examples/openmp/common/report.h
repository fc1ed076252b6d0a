// SPDX-License-Identifier: Apache-2.0
// What every example program prints about its timed runs and about its own check.
#ifndef EXAMPLES_COMMON_REPORT_H
#define EXAMPLES_COMMON_REPORT_H

#ifdef __cplusplus
extern "C" {
#endif

enum { report_most_runs = 1000 };

typedef struct run_times {
  double seconds[report_most_runs];
  int count;
} run_times;

void report_add(run_times* times, double seconds);

// "run K: S s" for each, then "kernel: median M s, best B s of N runs, T threads".
void report_print(const run_times* times);

// The verdict and the exit status that goes with it.
int report_verified(void);      // "verified", 0
int report_not_verified(void);  // "not verified (--no-verify)", 0

// "WRONG: ..." on stderr, 1
#if defined(__GNUC__)
__attribute__((format(printf, 1, 2)))
#endif
int report_wrong(const char *format, ...);

#ifdef __cplusplus
}
#endif

#endif
