/* SPDX-License-Identifier: Apache-2.0 */
/* Regions of known stretches. `regions TASK...` runs the tasks in order and prints each one's name and sum. Time
 * stands still but for `work`. */
#include "made_up_clock.h"

#include <omp.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

enum { team = 3, unit = 1000000 };
static volatile int repeats = 3; /* so that no compiler makes several calls of one */

static void work(int units) { worked += (long)units * unit; }

static int me(void) { return omp_get_thread_num(); }

static long plain(void) {
#pragma omp parallel num_threads(team) /* region: plain */
  work(me() + 1);
  return 1;
}

/* Each member is the last one once: over the whole region all sleep the same. */
static long in_turn(void) {
#pragma omp parallel num_threads(team)
  for (int k = 0; k < team; k++) {
    work((me() + k) % team + 1);
#pragma omp barrier
  }
  return 1;
}

static long loops(void) {
  long sum = 0;
#pragma omp parallel num_threads(team)
  {
#pragma omp for schedule(static) reduction(+ : sum)
    for (int i = 0; i < team; i++) {
      work(i + 1);
      sum += i;
    }
#pragma omp for schedule(static) reduction(+ : sum)
    for (int i = 0; i < team; i++) {
      work(team - i);
      sum += i;
    }
  }
  return sum;
}

static long reduction(void) {
  long sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum) num_threads(team)
  for (int i = 0; i < team; i++) {
    work(i + 1);
    sum += i;
  }
  return sum;
}

/* More than four members: libomp then reduces in a barrier of its own. */
static long wide_reduction(void) {
  long sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum) num_threads(6)
  for (int i = 0; i < 6; i++) {
    work(i + 1);
    sum += i;
  }
  return sum;
}

static long single(void) {
  long sum = 0;
#pragma omp parallel num_threads(team) reduction(+ : sum)
  {
    long copied = 0;
    for (int k = 0; k < 5; k++) {
#pragma omp single copyprivate(copied)
      copied = k;
      sum += copied;
    }
#pragma omp sections
    {
      sum += 1;
#pragma omp section
      sum += 2;
    }
  }
  return sum;
}

/* The only loop has figures of its own, and so has its region's first stretch. */
static long dynamic(void) {
  long sum = 0;
#pragma omp parallel num_threads(team)
  {
#pragma omp for schedule(dynamic, 1) reduction(+ : sum)
    for (int i = 0; i < team; i++) {
      work(1);
      sum += i;
    }
    work(me() + 1);
  }
  return sum;
}

static long nested(void) {
  long sum = 0;
#pragma omp parallel num_threads(2) reduction(+ : sum) /* region: outer */
  for (int k = 0; k < repeats; k++) {
#pragma omp parallel num_threads(2) reduction(+ : sum) /* region: inner */
    {
      work(me() + 1);
#pragma omp barrier
      sum += 1;
    }
#pragma omp barrier
  }
  return sum;
}

static long task_in_barrier(void) {
  long sum = 0;
#pragma omp parallel num_threads(team)
  {
#pragma omp single
    for (int i = 0; i < 20; i++) {
#pragma omp task shared(sum)
      {
        work(0);
#pragma omp atomic
        sum += i;
      }
    }
#pragma omp barrier
  }
  return sum;
}

static long cancelled(void) {
#pragma omp parallel num_threads(team)
  {
    for (int k = 0; k < 100; k++) {
      if (k == 3 && me() == 1) {
#pragma omp cancel parallel
      }
#pragma omp barrier
    }
  }
  return 1;
}

static long alone(void) {
#pragma omp parallel num_threads(1)
  {
    work(1);
#pragma omp barrier
  }
#pragma omp barrier
  return 1;
}

static long in_child(void) {
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    _exit((int)alone());
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WEXITSTATUS(status);
}

int main(int count, char** words) {
  static const struct {
    const char* name;
    long (*run)(void);
  } tasks[] = {{"plain", plain},   {"in-turn", in_turn}, {"loops", loops},      {"reduction", reduction},
               {"single", single}, {"dynamic", dynamic}, {"nested", nested},    {"tasks", task_in_barrier},
               {"alone", alone},   {"child", in_child},  {"cancel", cancelled}, {"wide-reduction", wide_reduction}};
  omp_set_max_active_levels(8);
  for (int i = 1; i < count; i++) {
    for (size_t k = 0; k < sizeof tasks / sizeof tasks[0]; k++) {
      if (strcmp(words[i], tasks[k].name) == 0) {
        printf("%s %ld\n", words[i], tasks[k].run());
      }
    }
  }
  fflush(stdout);
  return 7;
}
