// SPDX-License-Identifier: Apache-2.0
// Gauss-Jordan elimination of A x = b, A symmetric and positive definite. For each pivot k a loop over all other rows j:
// - those above, which are done but for the columns behind k, change in all of these;
// - those below change from their diagonal on only: the rest follows by symmetry.
// So costs are flat for j < k and fall behind it, a trapezoid that varies slowly from loop to loop.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "loop.h"
#include "program.h"

// n rows of n + 1 columns, the last of which is the right-hand side.
typedef struct equations {
  long n;
  double* a;
} equations;

static void eliminate_row(const equations* of, long k, long j) {
  if (j == k) return;
  const long width = of->n + 1;
  const double* const __restrict__ pivot = of->a + k * width;
  double* const __restrict__ row = of->a + j * width;
  const double factor = (j < k ? row[k] : pivot[j]) / pivot[k];
  for (long c = j < k ? k + 1 : j; c < width; ++c) row[c] -= factor * pivot[c];
}

static void eliminate(const equations* of, long k) {
#pragma omp parallel for schedule(CLAUSE)
  LOOP(j, of->n) { eliminate_row(of, k, j); };
}

// Symmetric, the diagonal dominant.
static void fill(const equations* of, double* solution) {
  const long n = of->n, width = n + 1;
  uint64_t state = 1;
  for (long i = 0; i < n; ++i) {
    for (long j = 0; j < i; ++j) of->a[i * width + j] = of->a[j * width + i] = course_random(&state) - 0.5;
    of->a[i * width + i] = (double)n;
    solution[i] = 1 + course_random(&state);
  }
  for (long i = 0; i < n; ++i) {
    double sum = 0;
    for (long j = 0; j < n; ++j) sum += of->a[i * width + j] * solution[j];
    of->a[i * width + n] = sum;
  }
}

static double error_of(const equations* of, const double* solution) {
  const long n = of->n, width = n + 1;
  double worst = 0;
  for (long i = 0; i < n; ++i) {
    const double found = of->a[i * width + n] / of->a[i * width + i];
    worst = fmax(worst, fabs(found / solution[i] - 1));
  }
  return worst;
}

int main(int argc, char** argv) {
  course c = course_of("gauss-jordan", "equations, and loops of an instance", 1024, 1);
  course_begin(&c, argc, argv, NULL, 0);
  const long n = c.size, cells = n * (n + 1);
  double* const memory = course_doubles(2 * cells + n);
  double *const original = memory + cells, *const solution = memory + 2 * cells;
  const equations given = {n, original};
  const equations used = {n, memory};
  fill(&given, solution);
  double error = 0;
  while (c.done < c.instances) {
    memcpy(used.a, original, (size_t)cells * sizeof(double));
    course_start(&c);
    for (long k = 0; k < n; ++k) eliminate(&used, k);
    course_stop(&c);
    course_next(&c);
    course_add(&c, used.a, cells);
    if (c.verify) error = fmax(error, error_of(&used, solution));
  }
  free(memory);
  return course_end(&c, error, 1e-10);
}
