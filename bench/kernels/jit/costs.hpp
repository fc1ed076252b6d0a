// SPDX-License-Identifier: Apache-2.0
// What the iterations of the paper's three kernels cost (Cammarota, Nicolau & Veidenbaum, "Just in time load balancing", table 2), in
// nanoseconds: the mean that it measured at 3.4 GHz, and the shape that it describes.
#pragma once

#include <cmath>
#include <cstddef>
#include <string_view>
#include <vector>

namespace jit {

inline constexpr double nanoseconds_per_cycle = 1 / 3.4;
inline constexpr double matmul_mean = 26786087 * nanoseconds_per_cycle;
inline constexpr double gauss_jordan_mean = 1936474 * nanoseconds_per_cycle;
inline constexpr double adjoint_mean = 9346 * nanoseconds_per_cycle;

inline std::vector<double> matmul_costs(std::size_t n) { return std::vector<double>(n, matmul_mean); }

// Falls steadily from the first iteration to the last, whose cost is the n-th part of it.
inline std::vector<double> adjoint_costs(std::size_t n) {
  std::vector<double> costs(n);
  for (std::size_t i = 0; i < n; ++i)
    costs[i] = 2 * adjoint_mean * static_cast<double>(n - i) / static_cast<double>(n + 1);
  return costs;
}

// One loop of Gauss-Jordan, `at` of 0 … 1 of its outer loop: a trapezoid, from a rectangle in the beginning to a triangle in the end.
// How fast is not told. 1 - (1 - at)^4 gives the shares that were learnt there at 0, 1/3 and 2/3.
inline std::vector<double> gauss_jordan_costs(std::size_t n, double at) {
  const double slope = 1 - std::pow(1 - at, 4);
  const double first = gauss_jordan_mean / (1 - 0.8 / 2);  // 0.8: the mean slope
  std::vector<double> costs(n);
  for (std::size_t j = 0; j < n; ++j) {
    costs[j] = first * (1 - slope * (static_cast<double>(j) + 0.5) / static_cast<double>(n));
  }
  return costs;
}

inline constexpr const char* cost_names = "matmul, gauss-jordan, adjoint, adjoint-increasing";

// The costs of the loop at `at` of its kernel; empty: no such kernel.
inline std::vector<double> costs_of(std::string_view kernel, std::size_t n, double at) {
  if (kernel == "matmul") return matmul_costs(n);
  if (kernel == "gauss-jordan") return gauss_jordan_costs(n, at);
  auto costs = kernel.substr(0, 7) == "adjoint" ? adjoint_costs(n) : std::vector<double>{};
  if (kernel == "adjoint") return costs;
  if (kernel == "adjoint-increasing") return {costs.rbegin(), costs.rend()};
  return {};
}

}  // namespace jit
