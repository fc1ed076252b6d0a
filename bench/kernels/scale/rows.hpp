// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "cost/distributions.hpp"

/// The loops of `bench/run scale`: what their iterations cost, in units.
namespace rows {

namespace cost = steelyard::cost;

struct loop {
  const char* name;
  std::vector<double> costs;
  bool is_random = false;  ///< where which iteration is dear is another matter each time
};

/// Those that bounds are stated for.
inline std::vector<loop> judged(std::size_t n, std::uint32_t members) {
  return {{"regular", cost::idws::regular(n)},
          {"random", cost::idws::random(n), true},
          {"dense-end", cost::idws::dense_end(n)},
          {"dense-begin", cost::idws::dense_begin(n)},
          {"periodic", cost::idws::periodic(n, members)},
          {"adjoint", cost::adjoint(n)},
          {"power-law", cost::power_law(n), true}};
}

/// `cost_at(x)` for x from 0 to 1.
template <class Cost>
std::vector<double> along(std::size_t n, const Cost& cost_at) {
  std::vector<double> costs(n);
  for (std::size_t i = 0; i < n; ++i) costs[i] = cost_at(static_cast<double>(i) / static_cast<double>(n));
  return costs;
}

/// Others, to choose constants by: a loop of equal costs, slopes and waves, a dense middle, runs of some random cost, and a tail
/// of rare iterations that cost fifty times as much.
inline std::vector<loop> training(std::size_t n) {
  cost::uniform_sequence next(77);
  double state = 1;
  const auto in_runs = [&](double) {
    if (next() < 0.002) state = 0.25 + 4 * next();
    return state;
  };
  const auto rare = [&](double) { return next() < 0.01 ? 25.0 : 0.5; };
  return {{"even", std::vector<double>(n, 0.5)},
          {"rising", along(n, [](double x) { return 0.25 + 3 * x * x; })},
          {"wave", along(n, [](double x) { return 1.5 + std::sin(6 * 3.14159265 * x); })},
          {"dense-middle", along(n, [](double x) { return x > 0.4 && x < 0.55 ? 6.0 : 0.4; })},
          {"runs", along(n, in_runs)},
          {"rare", along(n, rare), true}};
}

}  // namespace rows
