/* SPDX-License-Identifier: Apache-2.0
 * A loop that GCC forks at two places: as its bounds are constants they are given with the fork, which is copied into each caller. At the second place it runs
 * once. Prints how often iterations ran. */
#include <stdio.h>

static int ran[1000];

static inline __attribute__((always_inline)) void loop_here(void) {
#pragma omp parallel for schedule(runtime)
  for (int i = 0; i < 1000; ++i) {
    for (volatile int step = 0; step < i; ++step) {
    }
    ++ran[i];
  }
}

static __attribute__((noinline)) void elsewhere(void) { loop_here(); }

int main(void) {
  for (int run = 0; run < 200; ++run) loop_here();
  elsewhere();
  printf("%d %d\n", ran[0], ran[999]);
  return 0;
}
