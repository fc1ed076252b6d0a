// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

/// When a gain is more than luck, and how much of it is promised.
namespace steelyard::tool {

/// A gain counts when the median of the paired ratios lies below this, and noise would make one of all those looked at
/// seem so good in less than one of 20 comparisons.
inline constexpr double least_gain_ratio = 0.98;
inline constexpr double largest_chance = 0.05;
/// Fewer rounds say nothing.
inline constexpr std::size_t least_rounds = 3;

/// How many numbers were looked at to find a gain: the best of many looks good by luck alone, so a chance of noise is
/// multiplied by their number (Bonferroni). The program's gain has one half of the chances of an error, those of its loops
/// share the other; and each look after 5, 10, 20 … rounds has half of those that the look before had (alpha spending).
struct correction {
  std::size_t schedules = 1, loops = 0;
  unsigned looks = 0;  ///< 0: once, at the end

  [[nodiscard]] double of_program() const;
  [[nodiscard]] double of_loop() const;
  /// `corrected for choosing among 8 schedules, in the program and 2 loops (Bonferroni)`.
  [[nodiscard]] std::string text() const;
};

/// Paired ratios of a schedule to as written, by round; 0 in a round without.
using ratio_series = std::vector<double>;

/// How likely noise makes one of all that was looked at, `looked_at` of them, seem so good as these.
[[nodiscard]] double corrected_chance(const ratio_series& believed, double looked_at);

/// What the gain is at least, with 95 % confidence for all that was looked at together: the one chosen is the luckiest of
/// them, and what it shows more than it has (the winner's curse) is within that. Below 0: there may be none. (To let each
/// round count with the schedule that the others choose was tried: of eight equal ones, six rounds each, it promised too
/// much in 14 of 100 cases, for those choices go together.)
[[nodiscard]] double promised_gain(const ratio_series& believed, double looked_at);

}  // namespace steelyard::tool
