// SPDX-License-Identifier: Apache-2.0
// Sparse matrix times vector, y += A x, rows compressed; an iteration is a row.
// - arrowhead: the first 32 rows and columns and the diagonal, so half of the work is in the first rows.
// - power-law: row i has a number of entries in proportion to (i + 1)^-0.6, as in a graph whose vertices are ordered by degree.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "loop.h"
#include "program.h"

namespace {

constexpr long width = 32;         // of the arrow
constexpr double exponent = -0.6;  // of the power law
constexpr long mean = 16;          // entries of its rows, about

struct matrix {
  std::vector<long> first{0};  // entry of each row, and one more
  std::vector<long> column;
  std::vector<double> entry;
};

void add_entry(matrix& m, long column, std::uint64_t& state) {
  m.column.push_back(column);
  m.entry.push_back(course_random(&state));
}

void end_row(matrix& m) { m.first.push_back(static_cast<long>(m.column.size())); }

matrix arrowhead(long n) {
  matrix m;
  std::uint64_t state = 1;
  for (long i = 0; i < n; ++i) {
    for (long j = 0; j < (i < width ? n : width); ++j) add_entry(m, j, state);
    if (i >= width) add_entry(m, i, state);
    end_row(m);
  }
  return m;
}

matrix power_law(long n) {
  matrix m;
  std::uint64_t state = 1;
  const auto size = static_cast<double>(n);
  const double most = mean * (1 + exponent) * std::pow(size, -exponent);
  for (long i = 0; i < n; ++i) {
    const double length = std::fmin(size, std::ceil(most * std::pow(static_cast<double>(i + 1), exponent)));
    for (long e = 0; e < static_cast<long>(length); ++e) {
      add_entry(m, static_cast<long>(course_random(&state) * size), state);
    }
    end_row(m);
  }
  return m;
}

// Adds, so that a row that was left out once, or ran twice, shows in the end.
void multiply(const matrix& m, const double* x, double* y) {
  const long* const first = m.first.data();
  const long* const column = m.column.data();
  const double* const entry = m.entry.data();
  const long n = static_cast<long>(m.first.size()) - 1;
#pragma omp parallel for schedule(CLAUSE)
  LOOP(row, n) {
    double sum = 0;
    for (long e = first[row]; e < first[row + 1]; ++e) sum += entry[e] * x[column[e]];
    y[row] += sum;
  };
}

// w y is as often (w A) x as there were instances.
double error_of(const matrix& m, const std::vector<double>& x, const std::vector<double>& y, double instances) {
  std::vector<double> columns(x.size(), 0);
  std::uint64_t state = 3;
  double left = 0, right = 0;
  for (std::size_t row = 0; row < y.size(); ++row) {
    const double weight = course_random(&state);
    left += weight * y[row];
    for (auto e = static_cast<std::size_t>(m.first[row]); e < static_cast<std::size_t>(m.first[row + 1]); ++e) {
      columns[static_cast<std::size_t>(m.column[e])] += weight * m.entry[e];
    }
  }
  for (std::size_t j = 0; j < x.size(); ++j) right += columns[j] * x[j];
  return std::fabs(left / (instances * right) - 1);
}

}  // namespace

int main(int argc, char** argv) {
  course c = course_of("matvec", "rows", 20000, 50);
  const char* shape = "arrowhead";
  const argument own[] = {argument_text("--matrix", "NAME", "arrowhead (default) or power-law", &shape)};
  course_begin(&c, argc, argv, own, 1);
  const bool is_arrow = std::strcmp(shape, "arrowhead") == 0;
  if (!is_arrow && std::strcmp(shape, "power-law") != 0) {
    bad_input("--matrix %s: no such matrix: there are arrowhead, power-law", shape);
  }
  const matrix m = is_arrow ? arrowhead(std::max(c.size, width)) : power_law(c.size);
  std::vector<double> x(m.first.size() - 1), y(x.size());
  std::uint64_t state = 2;
  for (double& value : x) value = course_random(&state);
  while (c.done < c.instances) {
    course_start(&c);
    multiply(m, x.data(), y.data());
    course_stop(&c);
    course_next(&c);
  }
  course_add(&c, y.data(), static_cast<long>(y.size()));
  return course_end(&c, c.verify != 0 ? error_of(m, x, y, static_cast<double>(c.instances)) : 0, 1e-11);
}
