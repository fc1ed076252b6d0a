/* SPDX-License-Identifier: Apache-2.0 */
/* Loops that GCC starts by other functions than those of plain loops, because they must run as written. `passed TASK...`
 * runs them and prints for each whether its result is right. */
#include <stdio.h>
#include <string.h>

enum { n = 100, members = 3 };

static long sum_to(long count) { return count * (count - 1) / 2; }

static int task_reduction(void) {
  long sum = 0;
#pragma omp parallel num_threads(members)
#pragma omp for schedule(dynamic, 3) reduction(task, + : sum)
  for (long i = 0; i < n; i++) {
    sum += i;
  }
  return sum == sum_to(n);
}

static int task_reduction_ull(void) {
  long sum = 0;
#pragma omp parallel num_threads(members)
#pragma omp for schedule(guided) reduction(task, + : sum)
  for (unsigned long long i = 0; i < n; i++) {
    sum += (long)i;
  }
  return sum == sum_to(n);
}

static int task_reduction_static(void) {
  long sum = 0;
#pragma omp parallel num_threads(members)
#pragma omp for schedule(static) reduction(task, + : sum)
  for (long i = 0; i < n; i++) {
    sum += i;
  }
  return sum == sum_to(n);
}

static int task_reduction_ordered(void) {
  long sum = 0;
  long next = 0;
#pragma omp parallel num_threads(members)
#pragma omp for ordered schedule(dynamic, 3) reduction(task, + : sum)
  for (long i = 0; i < n; i++) {
    sum += i;
#pragma omp ordered
    next += next == i;
  }
  return sum == sum_to(n) && next == n;
}

static int task_reduction_doacross_ull(void) {
  long sum = 0;
#pragma omp parallel num_threads(members)
#pragma omp for ordered(1) schedule(dynamic, 3) reduction(task, + : sum)
  for (unsigned long long i = 0; i < n; i++) {
    sum += (long)i;
#pragma omp ordered depend(source)
  }
  return sum == sum_to(n);
}

static long last;

static void conditional_loop(void) {
#pragma omp for schedule(runtime) lastprivate(conditional : last)
  for (long i = 0; i < n; i++) {
    if (i % 7 == 3) {
      last = i;
    }
  }
}

static int conditional(void) {
#pragma omp parallel num_threads(members)
  conditional_loop();
  return last == 94;
}

static void conditional_static_loop(void) {
#pragma omp for schedule(static) lastprivate(conditional : last)
  for (long i = 0; i < n; i++) {
    if (i % 7 == 4) {
      last = i;
    }
  }
}

static int conditional_static(void) {
#pragma omp parallel num_threads(members)
  conditional_static_loop();
  return last == 95;
}

static int scan(void) {
  long sum = 0;
  long sums[n];
#pragma omp parallel for reduction(inscan, + : sum) num_threads(members)
  for (long i = 0; i < n; i++) {
    sum += i;
#pragma omp scan inclusive(sum)
    sums[i] = sum;
  }
  return sums[n - 1] == sum_to(n) && sums[10] == sum_to(11);
}

static int ordered_ull(void) {
  long next = 0;
#pragma omp parallel num_threads(members)
#pragma omp for ordered schedule(dynamic, 2)
  for (unsigned long long i = 0; i < n; i++) {
#pragma omp ordered
    next += next == (long)i;
  }
  return next == n;
}

static int ordered_ull_runtime(void) {
  long next = 0;
#pragma omp parallel num_threads(members)
#pragma omp for ordered schedule(runtime)
  for (unsigned long long i = 0; i < n; i++) {
#pragma omp ordered
    next += next == (long)i;
  }
  return next == n;
}

static int doacross_ull(void) {
  static long value[n + 1];
#pragma omp parallel num_threads(members)
#pragma omp for ordered(1) schedule(guided)
  for (unsigned long long i = 1; i <= n; i++) {
#pragma omp ordered depend(sink : i - 1)
    value[i] = value[i - 1] + 1;
#pragma omp ordered depend(source)
  }
  return value[n] == n;
}

static int doacross_ull_runtime(void) {
  static long value[n + 1];
#pragma omp parallel num_threads(members)
#pragma omp for ordered(1) schedule(runtime)
  for (unsigned long long i = 1; i <= n; i++) {
#pragma omp ordered depend(sink : i - 1)
    value[i] = value[i - 1] + 1;
#pragma omp ordered depend(source)
  }
  return value[n] == n;
}

#define TASK(name) \
  { #name, name }

int main(int count, char** words) {
  static const struct {
    const char* name;
    int (*run)(void);
  } tasks[] = {TASK(task_reduction),
               TASK(task_reduction_ull),
               TASK(task_reduction_static),
               TASK(task_reduction_ordered),
               TASK(task_reduction_doacross_ull),
               TASK(conditional),
               TASK(conditional_static),
               TASK(scan),
               TASK(ordered_ull),
               TASK(ordered_ull_runtime),
               TASK(doacross_ull),
               TASK(doacross_ull_runtime)};
  for (int i = 1; i < count; i++) {
    for (size_t k = 0; k < sizeof tasks / sizeof tasks[0]; k++) {
      if (strcmp(words[i], tasks[k].name) == 0) {
        printf("%s %s\n", words[i], tasks[k].run() ? "right" : "wrong");
      }
    }
  }
  return 7;
}
