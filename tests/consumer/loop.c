/* SPDX-License-Identifier: Apache-2.0 */
/* An OpenMP program for the installed command. */
#include <stdio.h>

int main(void) {
  long sum = 0;
#pragma omp parallel for schedule(runtime) reduction(+ : sum)
  for (int i = 0; i < 1000; i++) sum += i;
  return printf("%ld\n", sum) > 0 && sum == 499500 ? 0 : 1;
}
