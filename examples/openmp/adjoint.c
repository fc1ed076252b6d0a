// SPDX-License-Identifier: Apache-2.0
// Adjoint convolution, a[i] += sum over k >= i of b[k] * c[k - i]: the classic decreasing triangular
// loop. The first iteration costs n, the last one 1, so the first large chunk decides the time.
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/arguments.h"
#include "common/report.h"

typedef struct signals {
  long n;
  double *a, *b, *c;
} signals;

static void fill(const signals* s) {
  for (long i = 0; i < s->n; ++i) {
    s->a[i] = 0;
    s->b[i] = (double)(i * 7 % 13) / 13;
    s->c[i] = (double)(i * 5 % 11) / 11;
  }
}

// Adds, so that an iteration executed twice shows.
static void adjoint_convolution(const signals* s) {
  const long n = s->n;
#pragma omp parallel for schedule(guided)
  for (long i = 0; i < n; ++i) {
    double sum = 0;
    for (long k = i; k < n; ++k) sum += s->b[k] * s->c[k - i];
    s->a[i] += sum;
  }
}

// With weights z^i, |z| = 1, the double sum separates:
//   sum_i a[i] z^i  =  sum_k b[k] z^k * (c[0] + c[1] z^-1 + ... + c[k] z^-k).
// The right side costs O(n), and for a random z no wrong a[i] can hide from it.
static double check_error(const signals* s, double angle) {
  double left_re = 0, left_im = 0;
  double right_re = 0, right_im = 0;
  double prefix_re = 0, prefix_im = 0;
  for (long i = 0; i < s->n; ++i) {
    const double re = cos(angle * (double)i);
    const double im = sin(angle * (double)i);
    left_re += s->a[i] * re;
    left_im += s->a[i] * im;
    prefix_re += s->c[i] * re;
    prefix_im -= s->c[i] * im;
    right_re += s->b[i] * (re * prefix_re - im * prefix_im);
    right_im += s->b[i] * (re * prefix_im + im * prefix_re);
  }
  return hypot(left_re - right_re, left_im - right_im);
}

static int check(const signals* s) {
  const double angles[] = {0, 1.2345, 2.3571113};
  // The sums have about n * n / 2 terms below 1; a lost iteration is an error near its own size.
  const double tolerance = 1e-12 * (double)s->n * (double)s->n + 1e-9;
  for (size_t i = 0; i < sizeof angles / sizeof angles[0]; ++i) {
    const double error = check_error(s, angles[i]);
    if (!(error < tolerance)) return report_wrong("the result fails the identity at angle %g by %g", angles[i], error);
  }
  return EXIT_SUCCESS;
}

static int convolve_and_check(const signals* s, run_times* times, int verify) {
  fill(s);
  const double start = omp_get_wtime();
  adjoint_convolution(s);
  report_add(times, omp_get_wtime() - start);
  return verify ? check(s) : EXIT_SUCCESS;
}

int main(int argc, char** argv) {
  long n = 30000;
  long repeat = 3;
  int no_verify = 0;
  const argument table[] = {argument_number("--size", "length of the signals", 1, 10000000, &n),
                            argument_number("--repeat", "timed runs of the kernel", 1, report_most_runs, &repeat),
                            argument_flag("--no-verify", "skip the check of the result", &no_verify)};
  arguments_parse(argc, argv, "adjoint convolution, a decreasing triangular loop; schedule(guided)", table,
                  sizeof table / sizeof table[0]);
  double* memory = calloc(3 * (size_t)n, sizeof(double));
  if (!memory) bad_input("--size %ld: not enough memory: use shorter signals", n);
  const signals s = {n, memory, memory + n, memory + 2 * n};
  printf("adjoint: signals of length %ld\n", n);

  run_times times = {.count = 0};
  int status = EXIT_SUCCESS;
  for (long i = 0; i < repeat && status == EXIT_SUCCESS; ++i) status = convolve_and_check(&s, &times, !no_verify);
  report_print(&times);
  free(memory);
  if (status != EXIT_SUCCESS) return status;
  return no_verify ? report_not_verified() : report_verified();
}
