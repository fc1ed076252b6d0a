// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
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

/// The 95 % interval of the median of ratios; of fewer than three there is none. From six on it lies between two of the
/// ordered values (the sign test's interval). Below that even the extremes hold the median too seldom: there it is
/// Student's t on the logarithms, widened to hold the median.
[[nodiscard]] std::optional<interval> median_interval(std::span<const double> ratios);

/// How likely ratios as far below 1 as these are when nothing differs but noise: Student's t on their logarithms, one
/// side. 1 for fewer than two ratios.
[[nodiscard]] double chance_of_gain(std::span<const double> ratios);

/// The geometric mean of the ratios lies below this but for this chance (one side, Student's t on their logarithms).
/// Infinity for fewer than two.
[[nodiscard]] double upper_bound(std::span<const double> ratios, double chance);

}  // namespace steelyard::tool
