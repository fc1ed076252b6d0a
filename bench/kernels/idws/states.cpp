// SPDX-License-Identifier: Apache-2.0
#include "states.hpp"

#include <algorithm>
#include <iterator>

#include "cost/distributions.hpp"

namespace idws {

namespace choices = steelyard::cost::idws;

namespace {

/// Fractions, period and sequence of random numbers are those that the simulator uses.
std::vector<double> costs_of(std::string_view distribution, std::size_t n, std::size_t period) {
  if (distribution == "regular") return choices::regular(n);
  if (distribution == "random") return choices::random(n);
  if (distribution == "dense_end") return choices::dense_end(n);
  if (distribution == "dense_begin") return choices::dense_begin(n);
  if (distribution == "periodic") return choices::periodic(n, period);
  if (distribution.size() == 1 && distribution[0] >= '0' && distribution[0] <= '3') {
    return std::vector<double>(n, choices::state_costs[distribution[0] - '0']);
  }
  return {};
}

}  // namespace

std::vector<int> states_of(std::string_view distribution, std::size_t n, std::size_t period) {
  const std::vector<double> costs = costs_of(distribution, n, period);
  std::vector<int> states(costs.size());
  const auto* const first = std::begin(choices::state_costs);
  std::transform(costs.begin(), costs.end(), states.begin(), [first](double cost) {
    return static_cast<int>(std::find(first, std::end(choices::state_costs), cost) - first);
  });
  return states;
}

}  // namespace idws
