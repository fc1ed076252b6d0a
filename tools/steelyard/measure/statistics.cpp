// SPDX-License-Identifier: Apache-2.0
#include "measure/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <utility>

namespace steelyard::tool {
namespace {

/// Orders the values; they are scratch.
double median_in_place(std::vector<double>& values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

/// P(T > t) for Student's t with `freedom` degrees, t >= 0: with t = sqrt(freedom) tan(a) the density becomes
/// cos(a)^(freedom-1), integrated from a to pi/2 by Simpson's rule and divided by its integral from -pi/2.
double student_tail(double t, double freedom) {
  constexpr int steps = 512;
  constexpr double quarter = std::numbers::pi / 2;
  const auto integral = [&](double from) {
    const double width = (quarter - from) / steps;
    double sum = 0;
    for (int i = 0; i <= steps; ++i) {
      const double weight = i == 0 || i == steps ? 1 : (i % 2 == 1 ? 4 : 2);
      sum += weight * std::pow(std::max(0.0, std::cos(from + width * i)), freedom - 1);
    }
    return sum * width / 3;
  };
  const double whole =
      std::sqrt(std::numbers::pi) * std::exp(std::lgamma(freedom / 2) - std::lgamma((freedom + 1) / 2));
  return integral(std::atan(t / std::sqrt(freedom))) / whole;
}

/// The t that Student's t exceeds with this chance, below one half.
double student_quantile(double chance, double freedom) {
  thread_local std::map<std::pair<double, double>, double> known;  // few are asked for, and often
  if (const auto found = known.find({chance, freedom}); found != known.end()) return found->second;
  double low = 0;
  double high = 1;
  while (student_tail(high, freedom) > chance && high < 1e9) high *= 2;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (student_tail(middle, freedom) > chance ? low : high) = middle;
  }
  return known[{chance, freedom}] = high;
}

/// Of logarithms: their mean, and the standard error of it.
struct log_mean {
  double mean = 0, error = 0, freedom = 0;

  explicit log_mean(std::span<const double> ratios) : freedom(static_cast<double>(ratios.size()) - 1) {
    const auto count = static_cast<double>(ratios.size());
    for (const double one : ratios) mean += std::log(one) / count;
    double squares = 0;
    for (const double one : ratios) squares += (std::log(one) - mean) * (std::log(one) - mean);
    error = std::sqrt(squares / freedom / count);
  }
};

constexpr std::size_t least_for_interval = 3;
constexpr std::size_t least_for_order = 6;  // of five values the extremes hold the median in 94 of 100 cases

/// The median lies between these values of the ordered ones with 95 % confidence, whatever their distribution: below the
/// k-th only when fewer than k of them lie below it, each with a chance of one half.
interval order_interval(std::span<const double> values) {
  std::vector<double> ordered(values.begin(), values.end());
  std::sort(ordered.begin(), ordered.end());
  const auto count = static_cast<double>(ordered.size());
  double below = 0;
  std::size_t first = 0;
  for (;; ++first) {
    const auto at = static_cast<double>(first);
    below += std::exp(std::lgamma(count + 1) - std::lgamma(at + 1) - std::lgamma(count - at + 1) - count * std::log(2));
    if (below > 0.025) break;
  }
  return {ordered[first - 1], ordered[ordered.size() - first]};
}

}  // namespace

double median(std::span<const double> values) {
  std::vector<double> scratch(values.begin(), values.end());
  return median_in_place(scratch);
}

interval range_of(std::span<const double> values) {
  if (values.empty()) return {};
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  return {*low, *high};
}

std::vector<double> paired_ratios(std::span<const double> values, std::span<const double> baseline) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < std::min(values.size(), baseline.size()); ++i) {
    if (values[i] > 0 && baseline[i] > 0) ratios.push_back(values[i] / baseline[i]);
  }
  return ratios;
}

std::optional<interval> median_interval(std::span<const double> ratios) {
  if (ratios.size() < least_for_interval) return std::nullopt;
  if (ratios.size() >= least_for_order) return order_interval(ratios);
  const log_mean found(ratios);
  const double reach = student_quantile(0.025, found.freedom) * found.error;
  const double middle = median(ratios);
  return interval{std::min(middle, std::exp(found.mean - reach)), std::max(middle, std::exp(found.mean + reach))};
}

double chance_of_gain(std::span<const double> ratios) {
  if (ratios.size() < 2) return 1;
  const log_mean found(ratios);
  if (!(found.error > 0)) return found.mean < 0 ? 0 : 1;
  const double tail = student_tail(std::abs(found.mean) / found.error, found.freedom);
  return found.mean < 0 ? tail : 1 - tail;
}

double upper_bound(std::span<const double> ratios, double chance) {
  if (ratios.size() < 2) return std::numeric_limits<double>::infinity();
  const log_mean found(ratios);
  return std::exp(found.mean + student_quantile(chance, found.freedom) * found.error);
}

}  // namespace steelyard::tool
