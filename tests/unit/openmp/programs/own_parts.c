/* SPDX-License-Identifier: Apache-2.0
 * What each thread writes in one region it reads in the next, by a number that it asks for by its Fortran name. It prints how often it read
 * something else. */
#include <stdio.h>

int omp_get_thread_num_(void);

enum { N = 1000, ROUNDS = 20, MOST = 16 };
static long parts[MOST][N];
static long found[N];

static void spin(int times) {
  for (volatile int i = 0; i < times; ++i) {
  }
}

static void write_own(long round) {
#pragma omp parallel
  {
    long* const own = parts[omp_get_thread_num_()];
#pragma omp for
    for (long i = 0; i < N; ++i) {
      spin(i < N / 4 ? 20000 : 1000);
      own[i] = round * N + i;
    }
  }
}

static void read_own(void) {
#pragma omp parallel
  {
    const long* const own = parts[omp_get_thread_num_()];
#pragma omp for
    for (long i = 0; i < N; ++i) found[i] = own[i];
  }
}

int main(void) {
  long wrong = 0;
  for (long round = 1; round <= ROUNDS; ++round) {
    write_own(round);
    read_own();
    for (long i = 0; i < N; ++i) wrong += found[i] != round * N + i;
  }
  printf("%ld\n", wrong);
  return 0;
}
