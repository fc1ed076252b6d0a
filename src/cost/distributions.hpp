// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

/// Iteration costs to try schedules on. Every one is a function of its arguments alone, the same on every machine.
namespace steelyard::cost {

/// Numbers in [0, 1) from a 64-bit linear congruential sequence (Knuth's MMIX constants), upper bits only.
class uniform_sequence {
 public:
  explicit constexpr uniform_sequence(std::uint64_t seed) noexcept : state_(seed) {}
  constexpr double operator()() noexcept {
    state_ = state_ * 6364136223846793005U + 1442695040888963407U;
    return static_cast<double>(state_ >> 11) * 0x1.0p-53;
  }

 private:
  std::uint64_t state_;
};

/// The five distributions of IDWS (Rokos, Gorman & Kelly): every iteration has a state 0-3. The paper gives neither the
/// states' costs nor fractions nor period; those here reproduce what it measured on its Xeons: Dense End 0.71 times the
/// work of Regular, equal blocks 3.7 times slower on it than the best, Periodic 0.19 and 0.35 times Regular with 32 and
/// 16 members and a period as long.
namespace idws {

/// Of a state: nothing but the loop itself; a sine and powers; also a cosine; also a hyperbolic sine, the most expensive. All
/// are whole sixteenths, so that sums are exact.
inline constexpr double state_costs[] = {0.3125, 1.0, 2.0, 5.25};

inline double random_state(uniform_sequence& next) { return state_costs[static_cast<std::size_t>(4.0 * next())]; }

/// All 2.
inline std::vector<double> regular(std::size_t n) { return std::vector<double>(n, state_costs[2]); }

/// Uniform 0-3.
inline std::vector<double> random(std::size_t n, std::uint64_t seed = 1) {
  std::vector<double> costs(n);
  uniform_sequence next(seed);
  for (auto& cost : costs) cost = random_state(next);
  return costs;
}

/// The last fifth all 3, the first 7 % uniform 0-3, all 0 between.
inline std::vector<double> dense_end(std::size_t n, std::uint64_t seed = 1) {
  std::vector<double> costs(n, state_costs[0]);
  uniform_sequence next(seed);
  for (std::size_t i = 0; i < n * 7 / 100; ++i) costs[i] = random_state(next);
  for (std::size_t i = n - n / 5; i < n; ++i) costs[i] = state_costs[3];
  return costs;
}

/// dense_end mirrored.
inline std::vector<double> dense_begin(std::size_t n, std::uint64_t seed = 1) {
  auto costs = dense_end(n, seed);
  return {costs.rbegin(), costs.rend()};
}

/// One 3 in every `period` iterations, else 0: with a period equal to the team size a cyclic deal gives all the
/// 3s to one member.
inline std::vector<double> periodic(std::size_t n, std::size_t period) {
  std::vector<double> costs(n, state_costs[0]);
  for (std::size_t i = 0; i < n; i += period) costs[i] = state_costs[3];
  return costs;
}

}  // namespace idws

/// Adjoint convolution: iteration i of n runs n - i steps; in units of the mean.
inline std::vector<double> adjoint(std::size_t n) {
  std::vector<double> costs(n);
  for (std::size_t i = 0; i < n; ++i) costs[i] = 2.0 * static_cast<double>(n - i) / static_cast<double>(n + 1);
  return costs;
}

/// Degrees of a graph by rank: the k-th largest is ~ k^(-1/(exponent-1)), between 1 and `largest`.
inline std::vector<double> hubs_first(std::size_t n, double exponent = 2.5, double largest = 256) {
  std::vector<double> costs(n);
  for (std::size_t k = 0; k < n; ++k) {
    const auto degree = std::pow(static_cast<double>(n) / static_cast<double>(k + 1), 1.0 / (exponent - 1.0));
    costs[k] = std::floor(std::min(degree, largest));
  }
  return costs;
}

/// The same in random order: a loop over the vertices of a social network. For 1 Mi vertices the largest is about 100
/// times the mean, as in LiveJournal.
inline std::vector<double> power_law(std::size_t n, double exponent = 2.5, double largest = 256,
                                     std::uint64_t seed = 1) {
  auto costs = hubs_first(n, exponent, largest);
  uniform_sequence next(seed);
  for (std::size_t k = n; k > 1; --k) {
    std::swap(costs[k - 1], costs[static_cast<std::size_t>(next() * static_cast<double>(k))]);
  }
  return costs;
}

}  // namespace steelyard::cost
