/* SPDX-License-Identifier: Apache-2.0 */
/* How much memory the drop-in maps: run with the library of counter.c, which stands before it. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

long mapped_bytes(void);
void refuse_mappings(void);

static void loops(int threads, int count) {
  long sum = 0;
#pragma omp parallel num_threads(threads) reduction(+ : sum)
  for (int k = 0; k < count; k++) {
#pragma omp for schedule(dynamic, 1) nowait
    for (int i = 0; i < 40; i++) {
      sum += i;
    }
  }
  if (sum != 780L * count) {
    printf("wrong sum %ld\n", sum);
  }
}

/* Loops of other places, in a team of one. */
static void orphans(void) {
  long sum = 0;
#pragma omp for schedule(guided)
  for (int i = 0; i < 40; i++) {
    sum += i;
  }
#pragma omp for schedule(runtime)
  for (int i = 0; i < 40; i++) {
    sum += i;
  }
  if (sum != 2 * 780) {
    printf("wrong sum %ld\n", sum);
  }
}

static void show(const char* name) { printf("%s %ld\n", name, mapped_bytes()); }

/* A team of 64 with many loops; then the same again must find what it needs. */
static void threads(void) {
  show("start");
  loops(64, 10);
  show("first");
  for (int k = 0; k < 30; k++) {
    loops(64, 10);
  }
  show("last");
}

static void regions(void) {
  for (int k = 0; k < 500; k++) {
    loops(3, 2);
  }
  show("first");
  for (int k = 0; k < 10000; k++) {
    loops(3, 2);
  }
  show("last");
}

/* A mapping in the place where the plugin was, in most rounds. */
static void* take_room(int round, void* place) {
  void* page = (void*)((unsigned long)place & ~4095UL);
  void* taken = MAP_FAILED;
  if (round % 4 != 0 && place != NULL) {
    taken = mmap(page, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  }
  return taken != MAP_FAILED ? taken : NULL;
}

static void* run_plugin(const char* path) {
  void* opened = dlopen(path, RTLD_NOW);
  int (*run)(void) = opened != NULL ? (int (*)(void))dlsym(opened, "run_plugin") : NULL;
  if (run == NULL || run() != 4950) {
    printf("plugin failed: %s\n", dlerror());
    exit(1);
  }
  dlclose(opened);
  return (void*)run;
}

/* Opens and closes a plugin, at addresses that change. */
static void plugin(const char* path, int rounds) {
  int moves = 0;
  void* place = NULL;
  loops(2, 1);
  for (int k = 0; k < rounds; k++) {
    void* taken = take_room(k, place);
    void* now = run_plugin(path);
    moves += now != place;
    place = now;
    if (taken != NULL) {
      munmap(taken, 4096);
    }
    if (k == 19) {
      show("first");
    }
  }
  show("last");
  printf("moves %d\n", moves);
}

/* Memory ends before the first loop, or when a few loops can be in flight. */
static void no_room(int threads_before) {
  if (threads_before > 0) {
    loops(threads_before, 1);
  }
  refuse_mappings();
  loops(threads_before > 0 ? threads_before : 1, 3000);
  orphans();
  show("last");
}

/* How many threads this process has, as the kernel counts. */
static void count_threads(void) {
  char line[256];
  FILE* status = fopen("/proc/self/status", "r");
  while (status != NULL && fgets(line, sizeof line, status) != NULL) {
    if (strncmp(line, "Threads:", 8) == 0) {
      printf("threads %d\n", atoi(line + 8));
    }
  }
}

int main(int count, char** words) {
  const char* task = count > 1 ? words[1] : "";
  if (strcmp(task, "threads") == 0) {
    threads();
  } else if (strcmp(task, "regions") == 0) {
    regions();
  } else if (strcmp(task, "plugin") == 0) {
    plugin(words[2], atoi(words[3]));
  } else if (strcmp(task, "no-room") == 0) {
    no_room(atoi(words[2]));
  } else if (strcmp(task, "count-threads") == 0) {
    loops(3, 2);
    count_threads();
  }
  return 0;
}
