/* SPDX-License-Identifier: Apache-2.0
 * A library that runs teams of its own, and answers who is who by OpenMP's names (-DLIBRARY); a program that asks it. It prints the sum of the
 * numbers and of the team's sizes. */
#ifdef LIBRARY
#include <pthread.h>

static __thread int number;
static int threads = 1;

struct job {
  int number;
  void (*body)(void);
};

int omp_get_thread_num(void) { return number; }
int omp_get_num_threads(void) { return threads; }

static void* begin(void* of) {
  struct job* const mine = of;
  number = mine->number;
  mine->body();
  return 0;
}

void team(int count, void (*body)(void)) {
  pthread_t made[8];
  struct job jobs[8];
  threads = count;
  for (int t = 0; t < count; ++t) {
    jobs[t] = (struct job){t, body};
    pthread_create(&made[t], 0, begin, &jobs[t]);
  }
  for (int t = 0; t < count; ++t) pthread_join(made[t], 0);
  threads = 1;
}
#else
#include <stdio.h>

int omp_get_thread_num(void);
int omp_get_num_threads(void);
void team(int count, void (*body)(void));

static int numbers, sizes;

static void body(void) {
  __atomic_fetch_add(&numbers, omp_get_thread_num(), __ATOMIC_RELAXED);
  __atomic_fetch_add(&sizes, omp_get_num_threads(), __ATOMIC_RELAXED);
}

int main(void) {
  team(4, body);
  printf("%d %d\n", numbers, sizes);
  return 0;
}
#endif
