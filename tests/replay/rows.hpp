// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cost/distributions.hpp"

namespace steelyard::simulator::testing {

constexpr std::size_t iterations = 1 << 20;

struct costs_of {
  std::string name;
  std::vector<double> values;
};

/// What issue 2 asks for: the five of IDWS, adjoint, power-law.
inline std::vector<costs_of> rows(std::uint32_t members) {
  return {{"regular", cost::idws::regular(iterations)},
          {"random", cost::idws::random(iterations)},
          {"dense end", cost::idws::dense_end(iterations)},
          {"dense begin", cost::idws::dense_begin(iterations)},
          {"periodic", cost::idws::periodic(iterations, members)},
          {"adjoint", cost::adjoint(iterations)},
          {"power law", cost::power_law(iterations)}};
}

}  // namespace steelyard::simulator::testing
