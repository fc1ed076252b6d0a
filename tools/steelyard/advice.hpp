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
  std::string schedule;  ///< the loop's best, or the program's where that is as good
  std::string place;     ///< its source line, for a comment
  bool gains = false;    ///< surely; otherwise the line is given as a comment
  double ratio = 1;      ///< to the loop's time as written
  std::string why_not;   ///< which criterion of a gain it fails; empty: none
};

struct advice {
  enum class means { nothing, schedule, loops };  ///< as written, one schedule for all, the loops' lines
  means use = means::nothing;
  std::string schedule;  ///< for the whole program; empty: none surely gains
  std::string sentence;
  std::vector<loop_advice> loops;  ///< of the loops that matter and can be taken

  /// Is there a loops file to speak of? One of comments alone is none.
  [[nodiscard]] bool any_loop_gains() const;
};

/// A gain counts when the median of the paired ratios lies below this, their 95 % bootstrap interval below 1, and noise
/// would make one of the schedules look so good in less than one of 20 comparisons. (The interval alone is too narrow:
/// five rounds bound a median by their extremes, and the best of many schedules is looked at.)
inline constexpr double least_gain_ratio = 0.98;
inline constexpr double largest_chance = 0.05;

/// With so large a share of the time a loop and its program get the same schedule: what differs between them is noise.
inline constexpr double share_that_decides = 0.9;

[[nodiscard]] bool surely_gains(const row_result& candidate);

/// Which of these criteria a row of the table fails, with the remedy; empty: none.
[[nodiscard]] std::string why_no_gain(const row_result& candidate, const table_result& table);

[[nodiscard]] advice advise(const comparison& found);

}  // namespace steelyard::tool
