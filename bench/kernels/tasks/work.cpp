// SPDX-License-Identifier: Apache-2.0
#include "work.hpp"

#include <algorithm>
#include <cmath>

namespace work {
namespace {

bool is_safe(const board& so_far, int row, int column) {
  for (int above = 0; above < row; ++above) {
    const int apart = so_far.column[above] - column;
    if (apart == 0 || apart == row - above || apart == above - row) return false;
  }
  return true;
}

}  // namespace

int safe_places(const board& so_far, int row, int n, std::int8_t* safe) {
  int places = 0;
  for (int column = 0; column < n; ++column) {
    if (is_safe(so_far, row, column)) safe[places++] = static_cast<std::int8_t>(column);
  }
  return places;
}

void sort_few(double* first, double* last) {
  for (double* next = first; next < last; ++next) {
    const double value = *next;
    double* hole = next;
    for (; hole != first && value < hole[-1]; --hole) *hole = hole[-1];
    *hole = value;
  }
}

double* partition(double* first, double* last) {
  const double a = *first, b = first[(last - first) / 2], c = last[-1];
  const double pivot = std::max(std::min(a, b), std::min(std::max(a, b), c));
  for (;; ++first) {
    while (*first < pivot) ++first;
    --last;
    while (pivot < *last) --last;
    if (first >= last) return first;
    std::swap(*first, *last);
  }
}

void merge(const double* a, std::size_t of_a, const double* b, std::size_t of_b, double* into) {
  std::merge(a, a + of_a, b, b + of_b, into);
}

void multiply(block a, block b, block c, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    double* __restrict const sums = c.row(i);
    std::fill_n(sums, n, 0.0);
    for (std::size_t k = 0; k < n; ++k) {
      const double factor = a.row(i)[k];
      const double* __restrict const row = b.row(k);
      for (std::size_t j = 0; j < n; ++j) sums[j] += factor * row[j];
    }
  }
}

namespace {

// A quadrant, and another one that is added or subtracted: 0 1 above 2 3.
struct factor {
  int quadrant;
  int sign;
  int other;
};
constexpr factor left[] = {{0, 1, 3}, {2, 1, 3}, {0, 0, 0}, {3, 0, 0}, {0, 1, 1}, {2, -1, 0}, {1, -1, 3}};
constexpr factor right[] = {{0, 1, 3}, {0, 0, 0}, {1, -1, 3}, {2, -1, 0}, {3, 0, 0}, {0, 1, 1}, {2, 1, 3}};

block sum(const factor& wanted, block of, double* into, std::size_t half) {
  const block one = of.quadrant(wanted.quadrant, half), other = of.quadrant(wanted.other, half);
  if (wanted.sign == 0) return one;
  const double sign = wanted.sign;
  for (std::size_t i = 0; i < half; ++i) {
    double* __restrict const sums = into + i * half;
    for (std::size_t j = 0; j < half; ++j) sums[j] = one.row(i)[j] + sign * other.row(i)[j];
  }
  return {into, half};
}

}  // namespace

block left_factor(int i, block of, double* into, std::size_t half) { return sum(left[i], of, into, half); }
block right_factor(int i, block of, double* into, std::size_t half) { return sum(right[i], of, into, half); }

void combine(const double* products, block c, std::size_t half) {
  const std::size_t all = half * half;
  for (std::size_t i = 0; i < half; ++i) {
    double* __restrict const above = c.row(i);
    double* __restrict const below = c.row(i + half);
    const double* const m = products + i * half;
    for (std::size_t j = 0; j < half; ++j) {
      const auto product = [&](std::size_t which) { return m[(which - 1) * all + j]; };
      above[j] = product(1) + product(4) - product(5) + product(7);
      above[j + half] = product(3) + product(5);
      below[j] = product(2) + product(4);
      below[j + half] = product(1) - product(2) + product(3) + product(6);
    }
  }
}

namespace {
constexpr double price = 100, strike = 100, interest = 0.05, volatility = 0.2;  // a year
}

std::int64_t payoffs(std::uint64_t first, std::uint64_t paths) {
  constexpr double pi = 3.14159265358979323846, drift = interest - volatility * volatility / 2;
  std::int64_t all = 0;
  for (std::uint64_t path = first; path < first + paths; ++path) {
    const double normal = std::sqrt(-2 * std::log(uniform(2 * path))) * std::cos(2 * pi * uniform(2 * path + 1));
    const double paid = price * std::exp(drift + volatility * normal) - strike;
    if (paid > 0) all += static_cast<std::int64_t>(paid / unit);
  }
  return all;
}

double expected_payoff() {
  const auto below = [](double x) { return std::erfc(-x / std::sqrt(2.0)) / 2; };  // the normal distribution
  const double d = (std::log(price / strike) + interest) / volatility + volatility / 2;
  return price * std::exp(interest) * below(d) - strike * below(d - volatility);
}

}  // namespace work
