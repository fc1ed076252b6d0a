/* SPDX-License-Identifier: Apache-2.0 */
int run_plugin(void);

int run_plugin(void) {
  int sum = 0;
#pragma omp parallel for schedule(dynamic, 1) reduction(+ : sum) num_threads(2)
  for (int i = 0; i < 100; i++) {
    sum += i;
  }
  return sum;
}
