/* SPDX-License-Identifier: Apache-2.0
 * A loop that is handed out, so many times over: remembered INSTANCES [ITERATIONS]. It prints how often iterations ran. */
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 100000 };

static int ran[MOST];

int main(int argc, char** argv) {
  const int instances = argc > 1 ? atoi(argv[1]) : 1;
  const int n = argc > 2 ? atoi(argv[2]) : 1000;
  for (int run = 0; run < instances; ++run) {
#pragma omp parallel for schedule(dynamic)
    for (int i = 0; i < n; ++i) {
      for (volatile int step = 0; step < i; ++step) {
      }
      ++ran[i];
    }
  }
  long all = 0;
  for (int i = 0; i < n; ++i) all += ran[i];
  printf("%ld\n", all);
  return 0;
}
