// SPDX-License-Identifier: Apache-2.0
// Strassen's multiplication of matrices: seven products of half the size, a task each, down to blocks of 64.
#pragma once

#include <malloc.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <vector>

#include "work.hpp"

namespace task_kernels {

inline constexpr std::size_t least_block = 64;

// c = a b, of n rows and columns.
template <class Tasks>
void multiply(work::block a, work::block b, work::block c, std::size_t n) {
  if (n <= least_block) return work::multiply(a, b, c, n);
  const std::size_t half = n / 2, elements = half * half;
  const auto products = std::make_unique_for_overwrite<double[]>(7 * elements);
  Tasks::each(7, [&](int i) {
    const auto sums = std::make_unique_for_overwrite<double[]>(2 * elements);
    multiply<Tasks>(work::left_factor(i, a, sums.get(), half), work::right_factor(i, b, sums.get() + elements, half),
                    {products.get() + static_cast<std::size_t>(i) * elements, half}, half);
  });
  work::combine(products.get(), c, half);
}

// Elements are small whole numbers, so the product is exact whatever is added first.
class strassen {
 public:
  explicit strassen(std::int64_t size) : n_(static_cast<std::size_t>(size)), a_(n_ * n_), b_(n_ * n_), c_(n_ * n_) {
    // What is freed is kept: else the kernel would clear its pages again and again.
    mallopt(M_MMAP_THRESHOLD, 32 << 20);
    mallopt(M_TRIM_THRESHOLD, 1 << 30);
    std::uint64_t counter = 0;
    for (auto* const matrix : {&a_, &b_}) {
      for (double& each : *matrix) each = static_cast<double>(work::random(counter++) % 16) - 8;
    }
    expected_ = weighed(times(a_, times(b_, weights(1))));
  }
  void prepare() {}
  template <class Tasks>
  void solve() {
    multiply<Tasks>({a_.data(), n_}, {b_.data(), n_}, {c_.data(), n_}, n_);
  }
  // y c x with random x and y, modulo 2^64, against y (a (b x)).
  [[nodiscard]] std::int64_t result() const { return weighed(times(c_, weights(1))); }
  [[nodiscard]] bool is_right() const { return result() == expected_; }

 private:
  using vector = std::vector<std::uint64_t>;

  [[nodiscard]] vector weights(std::uint64_t which) const {
    vector made;
    for (std::size_t i = 0; i < n_; ++i) made.push_back(work::random((which << 32) + i) | 1);
    return made;
  }
  [[nodiscard]] vector times(const std::vector<double>& matrix, const vector& x) const {
    vector made;
    for (std::size_t i = 0; i < n_; ++i) {
      std::uint64_t sum = 0;
      for (std::size_t j = 0; j < n_; ++j) {
        sum += static_cast<std::uint64_t>(static_cast<std::int64_t>(matrix[i * n_ + j])) * x[j];
      }
      made.push_back(sum);
    }
    return made;
  }
  [[nodiscard]] std::int64_t weighed(const vector& of) const {
    const vector y = weights(2);
    return static_cast<std::int64_t>(std::inner_product(of.begin(), of.end(), y.begin(), std::uint64_t{0}));
  }

  std::size_t n_;
  std::vector<double> a_, b_, c_;
  std::int64_t expected_;
};

}  // namespace task_kernels
