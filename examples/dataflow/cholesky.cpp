// SPDX-License-Identifier: Apache-2.0
// A = L L^T, block by block: the text of the sequential program, with fork_task in front of its calls.
#include <cmath>
#include <cstdio>
#include <steelyard/dataflow.hpp>
#include <vector>

using steelyard::block, steelyard::fork_task, steelyard::r, steelyard::rw;

using matrix = block<double>;

void factorise(rw<matrix> diagonal) {
  auto a = *diagonal;
  for (std::size_t k = 0; k < a.rows(); ++k) {
    for (std::size_t j = 0; j < k; ++j) a(k, k) -= a(k, j) * a(k, j);
    a(k, k) = std::sqrt(a(k, k));
    for (std::size_t i = k + 1; i < a.rows(); ++i) {
      for (std::size_t j = 0; j < k; ++j) a(i, k) -= a(i, j) * a(k, j);
      a(i, k) /= a(k, k);
    }
  }
}

// below = below diagonal^-T
void solve(r<matrix> diagonal, rw<matrix> below) {
  auto l = *diagonal;
  auto b = *below;
  for (std::size_t i = 0; i < b.rows(); ++i) {
    for (std::size_t k = 0; k < b.columns(); ++k) {
      for (std::size_t j = 0; j < k; ++j) b(i, k) -= b(i, j) * l(k, j);
      b(i, k) /= l(k, k);
    }
  }
}

// c = c - a b^T
void update(r<matrix> left, r<matrix> right, rw<matrix> target) {
  auto a = *left;
  auto b = *right;
  auto c = *target;
  for (std::size_t i = 0; i < c.rows(); ++i) {
    for (std::size_t j = 0; j < c.columns(); ++j) {
      double sum = 0;
      for (std::size_t k = 0; k < a.columns(); ++k) sum += a(i, k) * b(j, k);
      c(i, j) -= sum;
    }
  }
}

int main() {
  constexpr std::size_t n = 384, size = 32, blocks = n / size;
  std::vector<double> values(n * n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) values[i * n + j] = i == j ? n : 1.0 / static_cast<double>(1 + i + j);
  }
  const auto before = values;
  const matrix all(values.data(), n, n);
  const auto at = [&](std::size_t i, std::size_t j) { return all.part(i * size, j * size, size, size); };

  for (std::size_t k = 0; k < blocks; ++k) {
    fork_task(factorise, at(k, k));
    for (std::size_t i = k + 1; i < blocks; ++i) fork_task(solve, at(k, k), at(i, k));
    for (std::size_t i = k + 1; i < blocks; ++i) {
      for (std::size_t j = k + 1; j <= i; ++j) fork_task(update, at(i, k), at(j, k), at(i, j));
    }
  }
  steelyard::sync_tasks();

  double worst = 0;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = 0;
      for (std::size_t k = 0; k <= j; ++k) sum += all(i, k) * all(j, k);
      worst = std::max(worst, std::abs(sum - before[i * n + j]));
    }
  }
  std::printf("%zu x %zu, wrong by at most %.1g\n", n, n, worst);
  return worst < 1e-9 ? 0 : 1;
}
