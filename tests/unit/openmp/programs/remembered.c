/* SPDX-License-Identifier: Apache-2.0
 * A loop that is handed out, so many times over: remembered INSTANCES [ITERATIONS]. It prints how often iterations ran.
 * INSTANCES -1: the process changes its environment and looks at errno; -2: it forks. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST = 100000 };

#ifdef ELSEWHERE
void loop(int* times, int n);
#else
void loop(int* times, int n) {
#pragma omp parallel for schedule(dynamic)
  for (int i = 0; i < n; ++i) {
    for (volatile int step = 0; step < i; ++step) {
    }
    ++times[i];
  }
}
#endif

#ifndef IS_LIBRARY
static int ran[MOST];

static int looks_at_errno(void) {
  errno = 0;
  loop(ran, 1000);
  printf("errno %d\n", errno);
  char** gone = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  environ = gone;
  munmap(gone, 4096);
  return 0;
}

static int forks(void) {
  const pid_t child = fork();
  if (child == 0) {
    printf("child\n");
    return 0;
  }
  int status = 0;
  waitpid(child, &status, 0);
  printf("parent\n");
  return status;
}

int main(int argc, char** argv) {
  const int instances = argc > 1 ? atoi(argv[1]) : 1;
  const int n = argc > 2 ? atoi(argv[2]) : 1000;
  if (instances == -1) return looks_at_errno();
  for (int run = 0; run < instances; ++run) loop(ran, n);
  if (instances == -2) return forks();
  long all = 0;
  for (int i = 0; i < n; ++i) all += ran[i];
  printf("%ld\n", all);
  return 0;
}
#endif
