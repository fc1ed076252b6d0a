/* SPDX-License-Identifier: Apache-2.0 */
/* Loops whose iterations last a known time. `limit TASK...` runs the tasks in order, and prints how long their iterations last,
 * summed over the instances: the longest, and all. The clocks of a team begin together. */
#include "made_up_clock.h"

#include <omp.h>
#include <stdio.h>
#include <string.h>

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
