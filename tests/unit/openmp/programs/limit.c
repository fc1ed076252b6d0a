/* SPDX-License-Identifier: Apache-2.0 */
/* Loops whose iterations last a known time. `limit TASK...` runs the tasks in order, and prints how long their iterations last,
 * summed over the instances: the longest, and all. Time is made up, as in regions.c: every thread has a clock of its own, which
 * stands still but for `work`; those of a team begin together. */
#define _GNU_SOURCE
#include <omp.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { second = 1000000000 };

static _Thread_local long worked;

int clock_gettime(clockid_t which, struct timespec* t) {
  if (which != CLOCK_MONOTONIC) return (int)syscall(SYS_clock_gettime, which, t);
  t->tv_sec = 1 + worked / second;
  t->tv_nsec = worked % second;
  return 0;
}

struct task {
  const char* name;
  long iterations, long_at, long_ns, ns;
  int instances;
};

static void run(const struct task* task) {
  long longest = 0;
  long all = 0;
  for (int instance = 0; instance < task->instances; instance++) {
    long start = worked;
    long end = 0;
    long here = 0;
#pragma omp parallel num_threads(2) reduction(max : end)
    {
      worked = start;
#pragma omp for schedule(dynamic, 1) reduction(+ : all) reduction(max : here)
      for (long i = 0; i < task->iterations; i++) {
        long took = i == task->long_at ? task->long_ns : task->ns;
        worked += took;
        all += took;
        here = took > here ? took : here;
      }
      end = worked;
    }
    worked = end;
    longest += here;
  }
  printf("%s %ld %ld\n", task->name, longest, all);
}

int main(int count, char** words) {
  static const struct task tasks[] = {{"long-first", 64, 0, 20000000, 20000, 1},
                                      {"long-inside", 20000, 9000, 20000000, 100, 12},
                                      {"uniform", 1000, -1, 0, 20000, 1}};
  for (int i = 1; i < count; i++) {
    for (size_t k = 0; k < sizeof tasks / sizeof tasks[0]; k++) {
      if (strcmp(words[i], tasks[k].name) == 0) run(&tasks[k]);
    }
  }
  fflush(stdout);
  return 7;
}
