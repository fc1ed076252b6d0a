// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "simulator/selection/method.hpp"

/// What methods are compared on, and with what.
namespace steelyard::simulator::selection {

/// A loop whose costs change from one instance to the next.
struct loop {
  std::string name;
  /// Prefix sums of n iterations by so many members, in instance number `instance`, from 0.
  std::function<std::vector<double>(std::size_t n, std::uint32_t members, std::uint64_t instance)> sums;
  std::uint64_t phase = 0;  ///< so many instances have costs of one kind, as many another; 0: all are of one kind
};

/// Costs of the five distributions of IDWS, adjoint convolution, a power law, hubs in front, and an obstacle in the middle. Each
/// iteration costs up to 5 % more, in each instance otherwise.
[[nodiscard]] std::vector<loop> steady_loops();
/// Pairs of them in turn, so many instances each.
[[nodiscard]] std::vector<loop> loops_with_phases(std::uint64_t phase);
/// One whose costs are others in each instance, and a tenth to four times as much in all, as the levels of a search: eight kinds that come
/// again in the same order.
[[nodiscard]] loop levels_of_a_search();

struct best_known {
  double time = 0;  ///< of all instances together
  std::string name;
};
/// The schedule of the catalogue that takes the least over these instances, each with its default and with chunks of sixteen; what
/// learns over instances aside. It is known behind the loop, so no method can be expected to do better by much.
[[nodiscard]] best_known best_of_catalogue(std::span<const std::vector<double>> instances, std::uint32_t members,
                                           const conditions& under);

}  // namespace steelyard::simulator::selection
