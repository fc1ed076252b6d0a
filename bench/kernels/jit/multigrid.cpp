// SPDX-License-Identifier: Apache-2.0
// Multigrid for -Δu = f on the unit square, u = 0 around it: V-cycles with damped Jacobi smoothing. Each loop goes over the rows of
// a grid, so its bounds change from level to level, from 2^size - 1 down to 3, and are the same again in the next cycle.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <utility>
#include <vector>

#include "loop.h"
#include "program.h"

namespace {

constexpr int sweeps = 2;          // before and after each coarser level
constexpr double damping = 0.8;    // of Jacobi
constexpr double most_left = 0.2;  // of the residual after a cycle

// n x n inner points, and a border of zeros.
struct grid {
  explicit grid(long points) : n(points), values(static_cast<std::size_t>((points + 2) * (points + 2))) {}
  double* row(long i) { return values.data() + i * (n + 2); }
  void clear() { values.assign(values.size(), 0); }

  long n;
  std::vector<double> values;
};

struct level {
  explicit level(long n) : u(n), other(n), f(n), residual(n), square(1.0 / static_cast<double>((n + 1) * (n + 1))) {}
  grid u, other, f, residual;
  double square;  // of the distance between points
};

void smooth(level& at) {
  const long n = at.u.n, width = n + 2;
  const double square = at.square;
  const double* const u = at.u.values.data();
  const double* const f = at.f.values.data();
  double* const next = at.other.values.data();
#pragma omp parallel for schedule(CLAUSE)
  LOOP(row, n) {
    for (long p = (row + 1) * width + 1; p <= (row + 1) * width + n; ++p) {
      const double wanted = 0.25 * (square * f[p] + ((u[p - 1] + u[p + 1]) + (u[p - width] + u[p + width])));
      next[p] = u[p] + damping * (wanted - u[p]);
    }
  };
  std::swap(at.u.values, at.other.values);
}

void find_residual(level& at) {
  const long n = at.u.n, width = n + 2;
  const double square = at.square;
  const double* const u = at.u.values.data();
  const double* const f = at.f.values.data();
  double* const residual = at.residual.values.data();
#pragma omp parallel for schedule(CLAUSE)
  LOOP(row, n) {
    for (long p = (row + 1) * width + 1; p <= (row + 1) * width + n; ++p) {
      const double around = (u[p - 1] + u[p + 1]) + (u[p - width] + u[p + width]);
      residual[p] = f[p] - (4 * u[p] - around) / square;
    }
  };
}

// The coarser grid's right-hand side: weighted means of nine residuals.
void restrict_to(level& coarse, const level& fine) {
  const long n = coarse.u.n, width = n + 2, wide = fine.u.n + 2;
  const double* const residual = fine.residual.values.data();
  double* const f = coarse.f.values.data();
#pragma omp parallel for schedule(CLAUSE)
  LOOP(row, n) {
    for (long column = 1; column <= n; ++column) {
      const double* const r = residual + 2 * (row + 1) * wide + 2 * column;
      const double edges = (r[-1] + r[1]) + (r[-wide] + r[wide]);
      const double corners = (r[-wide - 1] + r[-wide + 1]) + (r[wide - 1] + r[wide + 1]);
      f[(row + 1) * width + column] = (4 * r[0] + 2 * edges + corners) / 16;
    }
  };
}

// Adds the coarser grid's solution, between its points their mean.
void correct(level& fine, const level& coarse) {
  const long n = fine.u.n, wide = n + 2, width = coarse.u.n + 2;
  const double* const from = coarse.u.values.data();
  double* const u = fine.u.values.data();
#pragma omp parallel for schedule(CLAUSE)
  LOOP(row, n) {
    const double* const below = from + (row + 1) / 2 * width;
    const double* const above = from + (row + 2) / 2 * width;
    for (long column = 1; column <= n; ++column) {
      const long left = column / 2, right = (column + 1) / 2;
      u[(row + 1) * wide + column] += 0.25 * ((below[left] + below[right]) + (above[left] + above[right]));
    }
  };
}

void cycle(std::vector<level>& levels, std::size_t at) {
  level& here = levels[at];
  if (here.u.n == 1) {
    here.u.row(1)[1] = here.f.row(1)[1] * here.square / 4;
    return;
  }
  for (int i = 0; i < sweeps; ++i) smooth(here);
  find_residual(here);
  level& coarse = levels[at + 1];
  coarse.u.clear();
  restrict_to(coarse, here);
  cycle(levels, at + 1);
  correct(here, coarse);
  for (int i = 0; i < sweeps; ++i) smooth(here);
}

double norm(const grid& of) {
  double sum = 0;
  for (const double value : of.values) sum += value * value;
  return std::sqrt(sum);
}

std::vector<level> levels_of(long finest) {
  std::vector<level> levels;
  for (long exponent = finest; exponent > 0; --exponent) levels.emplace_back((1L << exponent) - 1);
  grid& f = levels.front().f;
  std::uint64_t state = 1;
  for (long i = 1; i <= f.n; ++i) {
    for (long j = 1; j <= f.n; ++j) f.row(i)[j] = course_random(&state) - 0.5;
  }
  return levels;
}

}  // namespace

int main(int argc, char** argv) {
  course c = course_of("multigrid", "2^N - 1 points along each axis", 10, 50);
  course_begin(&c, argc, argv, nullptr, 0);
  if (c.size > 14) bad_input("--size %ld: at most 14", c.size);
  std::vector<level> levels = levels_of(c.size);
  level& finest = levels.front();
  double error = 0;
  while (c.done < c.instances) {
    finest.u.clear();
    course_start(&c);
    cycle(levels, 0);
    course_stop(&c);
    course_next(&c);
    course_add(&c, finest.u.values.data(), static_cast<long>(finest.u.values.size()));
    if (c.verify == 0) continue;
    find_residual(finest);
    error = std::fmax(error, norm(finest.residual) / norm(finest.f));
  }
  return course_end(&c, error, most_left);
}
