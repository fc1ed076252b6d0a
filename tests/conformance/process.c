/* SPDX-License-Identifier: Apache-2.0 */
/* Loops and the life of a process: fork, exit from a worker, threads that OpenMP does
 * not know, plugins. */
#define _GNU_SOURCE
#include "host.h"

#include <omp.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>

enum { n = 300, callers = 4 };

#define HIT(i) __atomic_fetch_add(&hits[i], 1, __ATOMIC_RELAXED)

static int wrong(unsigned char* hits) {
  int bad = 0;
  for (int i = 0; i < n; i++) {
    bad += hits[i] != 1;
    hits[i] = 0;
  }
  return bad;
}

#define ORPHAN_LOOP(CTAG, ...)  \
    OMP(for __VA_ARGS__)        \
  for (int i = 0; i < n; i++) { \
    HIT(i);                     \
  }                             \
  bad += wrong(hits);
#define ALONE_LOOP(CTAG, ...)                    \
    OMP(parallel for num_threads(1) __VA_ARGS__) \
  for (long i = n; i > 0; i--) {                 \
    HIT(i - 1);                                  \
  }                                              \
  bad += wrong(hits);
#define TEAM_LOOP(CTAG, ...)                            \
    OMP(parallel for __VA_ARGS__)                       \
  for (int i = 0; i < n; i++) {                         \
    HIT(i);                                             \
  }                                                     \
  bad += wrong(hits);                                   \
  OMP(parallel) {                                       \
        OMP(for nowait __VA_ARGS__)                     \
    for (int i = 0; i < n / 2; i++) {                   \
      HIT(i);                                           \
    }                                                   \
        OMP(for __VA_ARGS__)                            \
    for (unsigned long long i = n; i > n / 2; i -= 2) { \
      HIT(i - 1);                                       \
      HIT(i - 2);                                       \
    }                                                   \
  }                                                     \
  bad += wrong(hits);

/* Each returns how many iterations did not run exactly once. */
static int serial_loops(void) {
  unsigned char hits[n] = {0};
  int bad = 0;
  ALL_CLAUSES(ORPHAN_LOOP)
  ALL_CLAUSES(ALONE_LOOP)
  return bad;
}

static int team_loops(void) {
  unsigned char hits[n] = {0};
  int bad = 0;
  ALL_CLAUSES(TEAM_LOOP)
  return bad;
}

static int status_of(pid_t child) {
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child) {
    return -1;
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 256 + WTERMSIG(status);
}

static void in_child(int (*loops)(void), const char* what) {
  pid_t child = fork();
  if (child == 0) {
    alarm(10);
    _exit(loops() != 0);
  }
  int status = status_of(child);
  EXPECT(status == 0, "%s: the child ended with %d", what, status);
}

static void fork_serial(void) {
  EXPECT(team_loops() == 0, "loops before the fork");
  in_child(serial_loops, "serial loops after fork");
  EXPECT(team_loops() == 0, "loops after the fork");
}

#ifdef __clang__
/* libomp allows regions in a child; libgomp does not once a team has existed. */
static void fork_regions(void) {
  EXPECT(team_loops() == 0, "loops before the fork");
  in_child(team_loops, "regions after fork");
  EXPECT(team_loops() == 0, "loops after the fork");
}
#endif

/* Runs this program anew; arguments after `--child` choose what it does. */
static int run_child(const char* task) {
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    execl("/proc/self/exe", "child", "--child", task, (char*)NULL);
    _exit(99);
  }
  return status_of(child);
}

static void fork_first(void) {
  int status = run_child("fork-first");
  EXPECT(status == 0, "fork before any use: status %d", status);
}

static void exit_in_worker(void) {
  int status = run_child("exit-worker");
  EXPECT(status == 42, "exit(42) in a worker: status %d", status);
}

static void exit_in_master(void) {
  int status = run_child("exit-master");
  EXPECT(status == 43, "exit(43) in a master: status %d", status);
}

static int child_fork_first(void) {
  in_child(team_loops, "regions in a child");
  pid_t child = fork();
  if (child == 0) {
    _exit(team_loops() != 0);
  }
  return status_of(child) != 0 || team_loops() != 0;
}

static int child_exit(int worker, int status) {
  OMP(parallel num_threads(3)) {
        OMP(for schedule(dynamic) nowait)
        for (int i = 0; i < 1000; i++) {
          if (i >= 20 && omp_get_thread_num() == worker) {
            exit(status);
          }
          linger(20);
        }
        if (omp_get_thread_num() == worker) {
          exit(status);
        }
  }
  return 98;
}

static int child(const char* task) {
  alarm(10);
  if (strcmp(task, "fork-first") == 0) {
    return child_fork_first();
  }
  return strcmp(task, "exit-worker") == 0 ? child_exit(1, 42) : child_exit(0, 43);
}

static void* caller(void* rounds) {
  for (int r = 0; r < *(int*)rounds; r++) {
    int bad = team_loops() + serial_loops();
    EXPECT(bad == 0, "round %d: %d iterations did not run once", r, bad);
  }
  return NULL;
}

static void pthread_callers(void) {
  pthread_t threads[callers];
  int rounds = 4;
  for (int t = 0; t < callers; t++) {
    pthread_create(&threads[t], NULL, caller, &rounds);
  }
  caller(&rounds);
  for (int t = 0; t < callers; t++) {
    pthread_join(threads[t], NULL);
  }
}

/* Threads that come and go, each leaving its own team behind. */
static void pthread_churn(void) {
  int rounds = 1;
  for (int t = 0; t < 12; t++) {
    pthread_t thread;
    pthread_create(&thread, NULL, caller, &rounds);
    pthread_join(thread, NULL);
  }
}

static void plugins_linked(void) {
  EXPECT(team_loops() == 0, "own loops");
  plugin_turns(RTLD_NOW | RTLD_LOCAL);
  plugin_pair();
  EXPECT(team_loops() == 0, "own loops afterwards");
}

static void plugin_at_load(void) {
  void* handle = open_plugin("plugin_at_load.so", RTLD_NOW | RTLD_LOCAL);
  call_plugin(handle, "plugin_check_at_load", "in the constructor");
  use_plugin(handle, "after the constructor");
  if (handle != NULL) {
    dlclose(handle);
  }
}

static const struct test_case cases[] = {
    {"fork-first", fork_first},         {"fork-serial", fork_serial},
#ifdef __clang__
    {"fork-regions", fork_regions},
#endif
    {"exit-in-worker", exit_in_worker}, {"exit-in-master", exit_in_master}, {"pthread-callers", pthread_callers},
    {"pthread-churn", pthread_churn},   {"plugins-linked", plugins_linked}, {"plugin-at-load", plugin_at_load},
};

int main(int argc, char** argv) {
  if (argc == 3 && strcmp(argv[1], "--child") == 0) {
    return child(argv[2]);
  }
  return RUN_CASES(argc, argv, cases);
}
