// SPDX-License-Identifier: Apache-2.0
// Sparse triangular solve, L x = b, by levels: the rows of a level need only those of earlier ones, so each level is a loop. Levels
// get smaller, and within one the rows get shorter: bounds and shares differ from loop to loop, and come again in the next solve.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "loop.h"
#include "program.h"

namespace {

constexpr long levels = 32;
constexpr long longest = 32;  // entries of a level's first row, left of the diagonal; its last one has one

struct triangle {
  std::vector<long> level{0};  // its first row, and one more
  std::vector<long> first{0};  // entry of each row, and one more
  std::vector<long> column;
  std::vector<double> entry;
  std::vector<double> diagonal;
};

// Level l gets its part of `rows`, in proportion to levels - l. Each row has an entry in the level before it.
triangle make(long rows) {
  triangle t;
  std::uint64_t state = 1;
  for (long l = 0; l < levels; ++l) {
    const long begin = t.level.back();
    const long count = std::max(1L, rows * 2 * (levels - l) / (levels * (levels + 1)));
    const long before = l == 0 ? 0 : t.level[static_cast<std::size_t>(l) - 1];
    for (long i = 0; i < count; ++i) {
      const long length = l == 0 ? 0 : longest - (longest - 1) * i / count;
      for (long e = 0; e < length; ++e) {
        const long least = e == 0 ? before : 0;
        t.column.push_back(least + static_cast<long>(course_random(&state) * static_cast<double>(begin - least)));
        t.entry.push_back((course_random(&state) - 0.5) / static_cast<double>(length));
      }
      t.first.push_back(static_cast<long>(t.column.size()));
      t.diagonal.push_back(1 + course_random(&state));
    }
    t.level.push_back(begin + count);
  }
  return t;
}

void solve(const triangle& t, const double* b, double* x) {
  const long* const first = t.first.data();
  const long* const column = t.column.data();
  const double* const entry = t.entry.data();
  const double* const diagonal = t.diagonal.data();
  for (std::size_t l = 0; l + 1 < t.level.size(); ++l) {
    const long begin = t.level[l], count = t.level[l + 1] - begin;
#pragma omp parallel for schedule(CLAUSE)
    LOOP(i, count) {
      const long row = begin + i;
      double rest = b[row];
      for (long e = first[row]; e < first[row + 1]; ++e) rest -= entry[e] * x[column[e]];
      x[row] = rest / diagonal[row];
    };
  }
}

double error_of(const triangle& t, const std::vector<double>& b, const std::vector<double>& x) {
  double worst = 0;
  for (std::size_t row = 0; row < x.size(); ++row) {
    double sum = t.diagonal[row] * x[row];
    for (long e = t.first[row]; e < t.first[row + 1]; ++e) {
      sum += t.entry[static_cast<std::size_t>(e)] * x[static_cast<std::size_t>(t.column[static_cast<std::size_t>(e)])];
    }
    worst = std::fmax(worst, std::fabs(sum - b[row]));
  }
  return worst;
}

}  // namespace

int main(int argc, char** argv) {
  course c = course_of("triangular-solve", "rows", 40000, 50);
  course_begin(&c, argc, argv, nullptr, 0);
  const triangle t = make(c.size);
  std::vector<double> b(t.diagonal.size());
  std::uint64_t state = 2;
  for (double& value : b) value = course_random(&state);
  std::vector<double> x;
  double error = 0;
  while (c.done < c.instances) {
    x.assign(b.size(), 0);
    course_start(&c);
    solve(t, b.data(), x.data());
    course_stop(&c);
    course_next(&c);
    course_add(&c, x.data(), static_cast<long>(x.size()));
    if (c.verify != 0) error = std::fmax(error, error_of(t, b, x));
  }
  return course_end(&c, error, 1e-12);
}
