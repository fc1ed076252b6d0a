// SPDX-License-Identifier: Apache-2.0
// Dense matrix product, C += A B: an iteration is a row of C, and all cost the same.
#include <math.h>
#include <stdlib.h>

#include "loop.h"
#include "program.h"

typedef struct matrices {
  long n;
  double *a, *b, *c;
} matrices;

static void row(const matrices* m, long i) {
  const long n = m->n;
  double* const __restrict__ c = m->c + i * n;
  for (long k = 0; k < n; ++k) {
    const double a = m->a[i * n + k];
    const double* const __restrict__ b = m->b + k * n;
    for (long j = 0; j < n; ++j) c[j] += a * b[j];
  }
}

// Adds, so that a row that was left out once, or ran twice, shows in the end.
static void multiply(const matrices* m) {
#pragma omp parallel for schedule(CLAUSE)
  LOOP(i, m->n) { row(m, i); };
}

static void apply(const double* matrix, const double* x, double* y, long n) {
  for (long i = 0; i < n; ++i) {
    y[i] = 0;
    for (long j = 0; j < n; ++j) y[i] += matrix[i * n + j] * x[j];
  }
}

// C x is as often A (B x) as there were instances: n² operations instead of n³.
static double error_of(const matrices* m, double instances) {
  const long n = m->n;
  double* const x = course_doubles(4 * n);
  double *const b_x = x + n, *const expected = x + 2 * n, *const found = x + 3 * n;
  uint64_t state = 3;
  for (long i = 0; i < n; ++i) x[i] = course_random(&state);
  apply(m->b, x, b_x, n);
  apply(m->a, b_x, expected, n);
  apply(m->c, x, found, n);
  double worst = 0;
  for (long i = 0; i < n; ++i) worst = fmax(worst, fabs(found[i] / (instances * expected[i]) - 1));
  free(x);
  return worst;
}

int main(int argc, char** argv) {
  course c = course_of("matmul", "rows of the matrices", 1024, 50);
  course_begin(&c, argc, argv, NULL, 0);
  const long n = c.size;
  double* const memory = course_doubles(3 * n * n);
  const matrices m = {n, memory, memory + n * n, memory + 2 * n * n};
  uint64_t state = 1;
  for (long i = 0; i < 2 * n * n; ++i) memory[i] = course_random(&state);
  while (c.done < c.instances) {
    course_start(&c);
    multiply(&m);
    course_stop(&c);
    course_next(&c);
  }
  course_add(&c, m.c, n * n);
  const double error = c.verify ? error_of(&m, (double)c.instances) : 0;
  free(memory);
  return course_end(&c, error, 1e-11);
}
