// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

/// Work that takes a known time and touches no memory: a chain of multiplications, each of which needs the one before.
namespace work {

using clock = std::chrono::steady_clock;

[[nodiscard]] inline double ns_since(clock::time_point began) {
  return std::chrono::duration<double, std::nano>(clock::now() - began).count();
}

[[nodiscard]] inline std::uint64_t chain(std::uint64_t x, std::uint32_t steps) noexcept {
  for (; steps > 0; --steps) x = x * 6364136223846793005U + 1442695040888963407U;
  return x;
}

/// Keeps the compiler from leaving out what makes `value`.
inline void keep(std::uint64_t value) noexcept { asm volatile("" : : "r"(value)); }

/// What a step takes, in nanoseconds: the least of some long chains.
[[nodiscard]] inline double ns_of_step() {
  constexpr std::uint32_t steps = 1U << 20U;
  double least = 1e9;
  for (int batch = 0; batch < 9; ++batch) {
    const auto began = clock::now();
    keep(chain(static_cast<std::uint64_t>(batch), steps));
    least = std::min(least, ns_since(began) / steps);
  }
  return least;
}

[[nodiscard]] inline double median_of(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace work
