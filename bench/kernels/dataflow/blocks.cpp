// SPDX-License-Identifier: Apache-2.0
#include "blocks.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace dataflow_kernels {
namespace {

constexpr std::size_t side = small_block::side;
constexpr std::int32_t match = 2, mismatch = -1, gap = -2;

}  // namespace

void factor(small_block& a) {
  for (std::size_t k = 0; k < side; ++k) {
    for (std::size_t i = k + 1; i < side; ++i) {
      const double by = a(i, k) /= a(k, k);
      for (std::size_t j = k + 1; j < side; ++j) a(i, j) -= by * a(k, j);
    }
  }
}

void solve_lower(const small_block& l, small_block& a) {
  for (std::size_t k = 0; k < side; ++k) {
    for (std::size_t i = k + 1; i < side; ++i) {
      for (std::size_t j = 0; j < side; ++j) a(i, j) -= l(i, k) * a(k, j);
    }
  }
}

void solve_upper(const small_block& u, small_block& a) {
  for (std::size_t i = 0; i < side; ++i) {
    for (std::size_t k = 0; k < side; ++k) {
      const double by = a(i, k) /= u(k, k);
      for (std::size_t j = k + 1; j < side; ++j) a(i, j) -= by * u(k, j);
    }
  }
}

void multiply(const small_block& a, const small_block& b, small_block& c) {
  for (std::size_t i = 0; i < side; ++i) {
    for (std::size_t k = 0; k < side; ++k) {
      for (std::size_t j = 0; j < side; ++j) c(i, j) -= a(i, k) * b(k, j);
    }
  }
}

void align(const char* down, const char* across, scores row, scores column) {
  const std::size_t height = column.size() - more_than_column, width = row.size();
  std::int32_t* const above = row.data();
  std::int32_t best = column[height + 1], corner = column[0];
  column[0] = above[width - 1];
  for (std::size_t i = 0; i < height; ++i) {
    std::int32_t diagonal = std::exchange(corner, column[i + 1]), left = corner;
    for (std::size_t j = 0; j < width; ++j) {
      const std::int32_t paired = diagonal + (down[i] == across[j] ? match : mismatch);
      diagonal = above[j];
      left = std::max({0, paired, std::max(left, diagonal) + gap});
      above[j] = left;
      best = std::max(best, left);
    }
    column[i + 1] = left;
  }
  column[height + 1] = best;
}

std::int32_t align_plainly(const char* down, const char* across, std::size_t length) {
  std::vector<std::int32_t> before(length + 1), now(length + 1);
  std::int32_t best = 0;
  for (std::size_t i = 1; i <= length; ++i) {
    for (std::size_t j = 1; j <= length; ++j) {
      const std::int32_t paired = before[j - 1] + (down[i - 1] == across[j - 1] ? match : mismatch);
      now[j] = std::max({0, paired, before[j] + gap, now[j - 1] + gap});
      best = std::max(best, now[j]);
    }
    std::swap(before, now);
  }
  return best;
}

}  // namespace dataflow_kernels
