// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <span>
#include <vector>

namespace steelyard::cost {

/// The least time in which `members` can run iterations of these costs, whatever the schedule: max(W/P, t_1,
/// t_P + t_(P+1)), W their sum, t_i the i-th largest. (Two of the P+1 largest are run by one member.)
[[nodiscard]] inline double limit(std::span<const double> costs, std::uint32_t members) {
  if (costs.empty()) return 0;
  const auto work = std::accumulate(costs.begin(), costs.end(), 0.0);
  const auto largest = *std::max_element(costs.begin(), costs.end());
  const auto bound = std::max(work / members, largest);
  if (costs.size() <= members) return bound;

  std::vector<double> sorted(costs.begin(), costs.end());
  const auto next = sorted.begin() + static_cast<std::ptrdiff_t>(members);  // t_(P+1), once in its place
  std::nth_element(sorted.begin(), next, sorted.end(), std::greater<>());
  const auto smallest_of_p = *std::min_element(sorted.begin(), next);
  return std::max(bound, smallest_of_p + *next);
}

/// Exclusive prefix sums, length n+1: the work of iterations a … b-1 is sums[b] - sums[a].
[[nodiscard]] inline std::vector<double> prefix_sums(std::span<const double> costs) {
  std::vector<double> sums(costs.size() + 1, 0.0);
  std::partial_sum(costs.begin(), costs.end(), sums.begin() + 1);
  return sums;
}

}  // namespace steelyard::cost
