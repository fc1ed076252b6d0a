/* SPDX-License-Identifier: Apache-2.0 */
/* C89 and C++98. */
#include <omp.h>
#include <stdio.h>

enum { n = 50 };

static int owner[n];

static int run(int first, int step) {
  int i, j, sum = 0;
#pragma omp parallel for private(j) reduction(+ : sum)
  for (i = first; i < n; i += step) {
    owner[i] = omp_get_thread_num();
    for (j = 0; j < i; ++j) sum += j;
  }
#pragma omp parallel private(i)
  {
#pragma omp for schedule(static)
    for (i = n - 1; i >= 0; --i) owner[i] = 10 * owner[i] + omp_get_thread_num();
  }
  return sum;
}

int main(void) {
  int i;
  printf("%d\n", run(3, 2));
  for (i = 0; i < n; ++i) printf("%d ", owner[i]);
  return 3;
}
