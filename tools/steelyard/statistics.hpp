// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

/// The few statistics the comparison is decided with.
namespace steelyard::tool {

struct interval {
  double low = 0;
  double high = 0;
  friend bool operator==(const interval&, const interval&) = default;
};

/// The middle value, or the mean of the two middle ones; 0 of nothing.
[[nodiscard]] double median(std::span<const double> values);

/// Smallest and largest; zeros of nothing.
[[nodiscard]] interval range_of(std::span<const double> values);

/// `values[i] / baseline[i]`, one for each round in which both have a time (above 0); pairing removes what a round has in
/// common.
[[nodiscard]] std::vector<double> paired_ratios(std::span<const double> values, std::span<const double> baseline);

/// The 95 % percentile bootstrap interval of the median. The same values give the same interval.
[[nodiscard]] interval bootstrap_median(std::span<const double> values);

/// How likely ratios as far below 1 as these are when nothing differs but noise: Student's t on their logarithms, one
/// side. 1 for fewer than two ratios.
[[nodiscard]] double chance_of_gain(std::span<const double> ratios);

}  // namespace steelyard::tool
