/* SPDX-License-Identifier: Apache-2.0 */
/* Loops of known shapes. `app TASK...` runs the tasks in order, each prints a line that does not depend on who ran
 * what; the exit status is 7. Each loop has a number of iterations of its own, by which a report's reader knows it. */
#define _GNU_SOURCE
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { team = 4 };

static long dynamic_loop(long n) {
  long sum = 0;
#pragma omp parallel for schedule(dynamic, 3) reduction(+ : sum) num_threads(team) /* site: dynamic */
  for (long i = 0; i < n; i++) {
    sum += i;
  }
  return sum;
}

static long guided_loop(long n) {
  long sum = 0;
#pragma omp parallel for schedule(guided) reduction(+ : sum) num_threads(team) /* site: guided */
  for (long i = 0; i < n; i++) {
    sum += i;
  }
  return sum;
}

static long runtime_loop(long n) {
  long sum = 0;
#pragma omp parallel for schedule(runtime) reduction(+ : sum) num_threads(team) /* site: runtime */
  for (long i = 0; i < n; i++) {
    sum += i;
  }
  return sum;
}

static long static_loop(long n) {
  long sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum) num_threads(team) /* site: static */
  for (long i = 0; i < n; i++) {
    sum += i;
  }
  return sum;
}

static long monotonic_loop(long n) {
  long sum = 0;
#pragma omp parallel for schedule(monotonic : dynamic, 2) reduction(+ : sum) num_threads(team) /* site: monotonic */
  for (long i = 0; i < n; i++) {
    sum += i;
  }
  return sum;
}

static long ordered_loop(long n) {
  long sum = 0;
#pragma omp parallel for ordered schedule(dynamic, 1) num_threads(team) /* site: ordered */
  for (long i = 0; i < n; i++) {
#pragma omp ordered
    sum = sum * 3 % 10007 + i;
  }
  return sum;
}

static long doacross_loop(long n) {
  static long value[4096];
  value[0] = 1;
#pragma omp parallel for ordered(1) schedule(dynamic, 1) num_threads(team) /* site: doacross */
  for (long i = 1; i < n; i++) {
#pragma omp ordered depend(sink : i - 1)
    value[i] = value[i - 1] * 3 % 10007 + i;
#pragma omp ordered depend(source)
  }
  return value[n - 1];
}

/* One region, three loops in it, one of them empty. */
static long region(long n) {
  long sum = 0;
  long empty = n - 1008;
#pragma omp parallel num_threads(team) reduction(+ : sum)
  {
#pragma omp for schedule(dynamic, 1) nowait /* site: first of region */
    for (long i = 0; i < n; i++) {
      sum += i;
    }
#pragma omp for schedule(guided, 2) nowait /* site: empty */
    for (long i = 0; i < empty; i++) {
      sum += 1000000;
    }
#pragma omp for schedule(dynamic, 5) /* site: second of region */
    for (long i = n; i > -1; i--) {
      sum += i;
    }
  }
  return sum;
}

/* Outside of any region: a team of one. */
static long orphan(long n) {
  long sum = 0;
#pragma omp for schedule(dynamic, 2) /* site: orphan */
  for (long i = 0; i < n; i++) {
    sum += i;
  }
  return sum;
}

/* Who ran which iteration, and as its how manieth. */
enum { chunk = 16, most = 2048 };
static int owner[most];
static long turn[most];

#define OWNED_LOOP(clause, n)                        \
  _Pragma("omp parallel num_threads(team)") {        \
    long turns = 0;                                  \
    _Pragma(clause) for (long i = 0; i < (n); i++) { \
      owner[i] = omp_get_thread_num();               \
      turn[i] = turns++;                             \
    }                                                \
  }

/* How many chunks of 16 did not run whole, in order, on one thread. */
static long split(long n) {
  long found = 0;
  for (long first = 0; first < n; first += chunk) {
    int whole = 1;
    for (long i = first + 1; i < first + chunk && i < n; i++) {
      whole &= owner[i] == owner[i - 1] && turn[i] == turn[i - 1] + 1;
    }
    found += !whole;
  }
  return found;
}

static long chunked_loop(long n) {
  OWNED_LOOP("omp for schedule(dynamic, chunk)", n)
  return split(n);
}

static long guided_chunked_loop(long n) {
  OWNED_LOOP("omp for schedule(guided, chunk)", n)
  return split(n);
}

static long runtime_chunked_loop(long n) {
  OWNED_LOOP("omp for schedule(runtime)", n)
  return split(n);
}

/* Loops of different places. */
#define LOOP_HERE \
  _Pragma("omp for schedule(dynamic, 1)") for (long i = 0; i < n; i++) { sum += i; }
#define FIVE(each) each each each each each
static long many(long n) {
  long sum = 0;
  FIVE(FIVE(LOOP_HERE))
  return sum;
}

static void kinds(void) {
  printf("dynamic %ld\n", dynamic_loop(1001));
  printf("guided %ld\n", guided_loop(1002));
  printf("runtime %ld\n", runtime_loop(1003));
  printf("static %ld\n", static_loop(1004));
  printf("monotonic %ld\n", monotonic_loop(1005));
  printf("ordered %ld\n", ordered_loop(1006));
  printf("doacross %ld\n", doacross_loop(1007));
  printf("region %ld\n", region(1008));
  printf("orphan %ld\n", orphan(1010));
}

static void show_schedule(void) {
  omp_sched_t kind;
  int chunk;
  omp_get_schedule(&kind, &chunk);
  printf("schedule %d,%d\n", (int)(kind & 7), chunk);
}

static void wait_for(pid_t child) {
  int status = 0;
  if (waitpid(child, &status, 0) != child || !WIFEXITED(status)) {
    printf("child lost\n");
  } else {
    printf("child %d\n", WEXITSTATUS(status));
  }
}

/* A child that leaves by `_exit`, and one that leaves by `exit`; each runs loops of its own. */
static void fork_children(long (*loop)(long)) {
  for (int child = 0; child < 2; child++) {
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) {
      long wrong = 0;
      for (int round = 0; round < 2 + child; round++) {
        wrong += loop(500) != 499 * 500 / 2;
      }
      if (child == 0) {
        _exit(wrong != 0 ? 1 : 40);
      }
      exit(wrong != 0 ? 1 : 41);
    }
    wait_for(pid);
  }
}

/* Nothing of OpenMP. */
static long closed_form(long n) { return n * (n - 1) / 2; }

static void run_command(char** words) {
  fflush(stdout);
  pid_t pid = fork();
  if (pid == 0) {
    execvp(words[0], words);
    _exit(127);
  }
  wait_for(pid);
}

static void run_task(const char* task) {
  if (strcmp(task, "kinds") == 0) {
    kinds();
  } else if (strcmp(task, "show") == 0) {
    show_schedule();
  } else if (strcmp(task, "runtime") == 0) {
    printf("runtime %ld\n", runtime_loop(1003));
  } else if (strcmp(task, "dynamic") == 0) {
    printf("dynamic %ld\n", dynamic_loop(1001));
  } else if (strcmp(task, "static") == 0) {
    printf("static %ld\n", static_loop(1004));
  } else if (strcmp(task, "many") == 0) {
    printf("many %ld\n", many(10));
  } else if (strcmp(task, "chunks") == 0) {
    printf("split %ld\n", chunked_loop(1609));
  } else if (strcmp(task, "guided-chunks") == 0) {
    printf("split %ld\n", guided_chunked_loop(1610));
  } else if (strcmp(task, "runtime-chunks") == 0) {
    printf("split %ld\n", runtime_chunked_loop(1611));
  } else if (strcmp(task, "set-chunk") == 0) {
    omp_set_schedule(omp_sched_dynamic, chunk);
  } else if (strcmp(task, "orphan") == 0) {
    printf("orphan %ld\n", orphan(1010));
  } else if (strcmp(task, "set-guided") == 0) {
    omp_set_schedule(omp_sched_guided, 5);
  } else if (strcmp(task, "to-root") == 0) {
    printf("%d\n", chdir("/"));
  } else if (strcmp(task, "set-monotonic") == 0) {
    omp_set_schedule(omp_sched_dynamic | omp_sched_monotonic, 1);
  } else if (strcmp(task, "set-dynamic") == 0) {
    omp_set_schedule(omp_sched_dynamic, 5);
  } else if (strcmp(task, "set-static") == 0) {
    omp_set_schedule(omp_sched_static, 0);
  } else if (strcmp(task, "fork") == 0) {
    fork_children(orphan);
  } else if (strcmp(task, "fork-first") == 0) {
    fork_children(dynamic_loop);
  } else if (strcmp(task, "fork-idle") == 0) {
    fork_children(closed_form);
  } else {
    printf("no task %s\n", task);
  }
}

int main(int count, char** words) {
  for (int i = 1; i < count; i++) {
    if (strcmp(words[i], "--run") == 0) {
      run_command(words + i + 1);
      break;
    }
    run_task(words[i]);
  }
  fflush(stdout);
  return 7;
}
