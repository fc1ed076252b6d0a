// SPDX-License-Identifier: Apache-2.0
// Adjoint convolution, a[i] += Σ over k >= i of b[k] c[k - i]: the first iteration costs n, the last one 1. With --increasing the
// same rows from the last to the first.
#include <math.h>
#include <stdlib.h>

#include "loop.h"
#include "program.h"

typedef struct signals {
  long n;
  double *a, *b, *c;
} signals;

enum { lanes = 8 };  // partial sums in a fixed order: independent of each other, and the same bits from any compiler

static double dot(const double* x, const double* y, long n) {
  double sum[lanes] = {0};
  long k = 0;
  for (; k + lanes <= n; k += lanes) {
    for (long lane = 0; lane < lanes; ++lane) sum[lane] += x[k + lane] * y[k + lane];
  }
  for (; k < n; ++k) sum[0] += x[k] * y[k];
  return ((sum[0] + sum[1]) + (sum[2] + sum[3])) + ((sum[4] + sum[5]) + (sum[6] + sum[7]));
}

static void row(const signals* s, long i) { s->a[i] += dot(s->b + i, s->c, s->n - i); }

// Both add, so that a row that was left out once, or ran twice, shows in the end.
static void decreasing(const signals* s) {
#pragma omp parallel for schedule(CLAUSE)
  LOOP(i, s->n) { row(s, i); };
}

static void increasing(const signals* s) {
#pragma omp parallel for schedule(CLAUSE)
  LOOP(i, s->n) { row(s, s->n - 1 - i); };
}

// Σ a[i] z^i = Σ b[k] h[k], where h[k] = c[k] + z h[k - 1]: exact for every z, in n operations. With z = 1 and -1 all rows weigh
// the same.
static double error_at(const signals* s, double z, double instances, double* size) {
  double left = 0, right = 0, weight = 1, h = 0;
  *size = 0;
  for (long i = 0; i < s->n; ++i) {
    left += s->a[i] * weight;
    weight *= z;
    h = s->c[i] + z * h;
    right += s->b[i] * h;
    *size += fabs(s->a[i]);
  }
  return fabs(left - instances * right);
}

static double error_of(const signals* s, double instances) {
  double size = 0;
  const double plus = error_at(s, 1, instances, &size);
  const double minus = error_at(s, -1, instances, &size);
  return fmax(plus, minus) / size;
}

int main(int argc, char** argv) {
  course c = course_of("adjoint", "length of the signals", 102400, 50);
  int rising = 0;
  const argument own[] = {argument_flag("--increasing", "the cheapest iteration first", &rising)};
  course_begin(&c, argc, argv, own, 1);
  double* const memory = course_doubles(3 * c.size);
  const signals s = {c.size, memory, memory + c.size, memory + 2 * c.size};
  uint64_t state = 1;
  for (long i = c.size; i < 3 * c.size; ++i) memory[i] = course_random(&state);
  while (c.done < c.instances) {
    course_start(&c);
    if (rising) {
      increasing(&s);
    } else {
      decreasing(&s);
    }
    course_stop(&c);
    course_next(&c);
  }
  course_add(&c, s.a, c.size);
  const double error = c.verify ? error_of(&s, (double)c.instances) : 0;
  free(memory);
  return course_end(&c, error, 1e-11);
}
