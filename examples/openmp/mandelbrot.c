// SPDX-License-Identifier: Apache-2.0
// Escape times of the Mandelbrot set, one row of the picture an iteration. Rows through the set
// cost the full limit at most points, rows above and below it almost nothing.
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/arguments.h"
#include "common/report.h"

enum { check_every = 4 };  // rows between two that are recomputed serially

typedef struct picture {
  int size, limit;
  int* steps;  // size * size
} picture;

// Exactly symmetric about 0, so that row y and row size - 1 - y must agree to the last bit.
static double coordinate(int position, int size) { return 1.5 * (2 * position + 1 - size) / size; }

static int escape_steps(double x, double y, int limit) {
  double re = 0;
  double im = 0;
  int step = 0;
  while (step < limit && re * re + im * im <= 4) {
    const double next = re * re - im * im + x;
    im = 2 * re * im + y;
    re = next;
    ++step;
  }
  return step;
}

static void render_row(const picture* image, int row) {
  const double y = coordinate(row, image->size);
  for (int column = 0; column < image->size; ++column)
    image->steps[(size_t)row * (size_t)image->size + (size_t)column] =
        escape_steps(coordinate(column, image->size) - 0.75, y, image->limit);
}

// Returns the sum of all steps taken, so that a row rendered twice shows.
static long long render(const picture* image) {
  long long total = 0;
#pragma omp parallel for schedule(dynamic) reduction(+ : total)
  for (int row = 0; row < image->size; ++row) {
    render_row(image, row);
    for (int column = 0; column < image->size; ++column)
      total += image->steps[(size_t)row * (size_t)image->size + (size_t)column];
  }
  return total;
}

static int check_row(const picture* image, int row) {
  const size_t width = (size_t)image->size;
  const int* steps = image->steps + (size_t)row * width;
  const int* mirrored = image->steps + (size_t)(image->size - 1 - row) * width;
  for (int column = 0; column < image->size; ++column) {
    if (steps[column] < 0) return report_wrong("row %d was not rendered", row);
    if (steps[column] != mirrored[column])
      return report_wrong("row %d differs from its mirror image at column %d", row, column);
    if (row % check_every == 0 && steps[column] != escape_steps(coordinate(column, image->size) - 0.75,
                                                                coordinate(row, image->size), image->limit))
      return report_wrong("row %d differs from the serial one at column %d", row, column);
  }
  return EXIT_SUCCESS;
}

// The set is symmetric about the real axis, which checks every row against another thread's work;
// every fourth row is recomputed as well.
static int check(const picture* image, long long total) {
  long long sum = 0;
  for (int row = 0; row < image->size; ++row) {
    if (check_row(image, row) != EXIT_SUCCESS) return EXIT_FAILURE;
    for (int column = 0; column < image->size; ++column)
      sum += image->steps[(size_t)row * (size_t)image->size + (size_t)column];
  }
  if (sum != total) return report_wrong("%lld steps were taken for a picture of %lld", total, sum);
  return EXIT_SUCCESS;
}

static int render_and_check(const picture* image, run_times* times, int verify) {
  const size_t pixels = (size_t)image->size * (size_t)image->size;
  for (size_t i = 0; i < pixels; ++i) image->steps[i] = -1;
  const double start = omp_get_wtime();
  const long long total = render(image);
  report_add(times, omp_get_wtime() - start);
  return verify ? check(image, total) : EXIT_SUCCESS;
}

int main(int argc, char** argv) {
  long size = 512;
  long limit = 2000;
  long repeat = 3;
  int no_verify = 0;
  const argument table[] = {argument_number("--size", "rows and columns of the picture", 2, 32768, &size),
                            argument_number("--limit", "most steps at a point", 1, 1000000, &limit),
                            argument_number("--repeat", "timed runs of the kernel", 1, report_most_runs, &repeat),
                            argument_flag("--no-verify", "skip the check of the result", &no_verify)};
  arguments_parse(argc, argv, "Mandelbrot set by rows; schedule(dynamic)", table, sizeof table / sizeof table[0]);
  const picture image = {(int)size, (int)limit, malloc((size_t)size * (size_t)size * sizeof(int))};
  if (!image.steps) bad_input("--size %ld: not enough memory: use a smaller picture", size);
  printf("mandelbrot: %ld rows of %ld points, at most %ld steps each\n", size, size, limit);

  run_times times = {.count = 0};
  int status = EXIT_SUCCESS;
  for (long i = 0; i < repeat && status == EXIT_SUCCESS; ++i) status = render_and_check(&image, &times, !no_verify);
  report_print(&times);
  free(image.steps);
  if (status != EXIT_SUCCESS) return status;
  return no_verify ? report_not_verified() : report_verified();
}
