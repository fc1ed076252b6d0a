/* SPDX-License-Identifier: Apache-2.0 */
/* A product of a sparse matrix and a vector, whose rows are of very different length, as the rewriter makes it. C and C++. Prints the
   checksum, and how many rows' costs were stated. */
#include <stdio.h>

#define ROWS 3000

static int first[ROWS + 1];
static double result[ROWS];
static int stated;

static void multiply(int keys) {
  const size_t n = ROWS;
#pragma omp parallel firstprivate(n)
  {
    static struct steelyard_site site = {"costs.c", 3001, 0, 8, 0, 0, 1, 4, {3, 0, 0}};
    struct steelyard_costs costs;
    struct steelyard_part part;
    if (steelyard_costs_begin(&costs, &site, n, (unsigned)keys)) {
      while (costs.at != costs.behind) {
        double w = 0;
        int row = (int)costs.at;
        w += first[row + 1] - first[row];
#pragma omp atomic
        ++stated;
        steelyard_costs_put(&costs, w);
      }
      steelyard_costs_end(&costs);
    }
    for (steelyard_begin(&part, &site, n); part.more != 0; steelyard_next(&part)) {
      int row;
      for (row = (int)part.begin; row < (int)part.end; ++row) {
        int k;
        for (k = first[row]; k < first[row + 1]; ++k) result[row] += k % 3;
      }
    }
  }
}

int main(void) {
  double sum = 0;
  int row;
  int round;
  for (row = 0; row < ROWS; ++row) first[row + 1] = first[row] + (row % 50 == 0 ? 500 : row < 100 ? 100 : 1);
  for (round = 0; round < 20; ++round) multiply(round / 10);
  for (row = 0; row < ROWS; ++row) sum += result[row] * (1 + row % 7);
  printf("%.17g %d\n", sum, stated);
  return 5;
}
