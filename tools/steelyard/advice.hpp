// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "comparison.hpp"

/// What the comparison comes down to.
namespace steelyard::tool {

/// A line for the loops file.
struct loop_advice {
  std::string site;      ///< module+0xoffset
  std::string schedule;  ///< the loop's best
  std::string place;     ///< its source line, for a comment
  bool gains = false;    ///< surely; otherwise the line is given as a comment
  double ratio = 1;      ///< to the loop's time as written
};

struct advice {
  std::string schedule;  ///< for the whole program; empty: keep it as written
  std::string sentence;
  std::vector<loop_advice> loops;  ///< of the loops that matter and can be taken
};

/// A gain counts when the median of the paired ratios lies below this, their 95 % bootstrap interval below 1, and noise
/// would make one of the schedules look so good in less than one of 20 comparisons. (The interval alone is too narrow:
/// five rounds bound a median by their extremes, and the best of many schedules is looked at.)
inline constexpr double least_gain_ratio = 0.98;
inline constexpr double largest_chance = 0.05;

[[nodiscard]] bool surely_gains(const row_result& candidate);

[[nodiscard]] advice advise(const comparison& found);

}  // namespace steelyard::tool
