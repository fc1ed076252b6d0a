// SPDX-License-Identifier: Apache-2.0
#include "statistics.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>

#include "random.hpp"

namespace steelyard::tool {
namespace {

constexpr int resamples = 4000;

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
  return integral(std::atan(t / std::sqrt(freedom))) / (2 * integral(0));
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

interval bootstrap_median(std::span<const double> values) {
  if (values.size() < 2) return range_of(values);
  random_stream draw(values.size());
  std::vector<double> medians;
  std::vector<double> sample(values.size());
  for (int i = 0; i < resamples; ++i) {
    for (auto& one : sample) one = values[draw.below(values.size())];
    medians.push_back(median_in_place(sample));
  }
  std::sort(medians.begin(), medians.end());
  return {medians[resamples * 25 / 1000], medians[resamples * 975 / 1000 - 1]};
}

double chance_of_gain(std::span<const double> ratios) {
  if (ratios.size() < 2) return 1;
  const auto count = static_cast<double>(ratios.size());
  double mean = 0;
  for (const double one : ratios) mean += std::log(one) / count;
  double variance = 0;
  for (const double one : ratios) variance += (std::log(one) - mean) * (std::log(one) - mean) / (count - 1);
  const double error = std::sqrt(variance / count);
  if (!(error > 0)) return mean < 0 ? 0 : 1;
  const double tail = student_tail(std::abs(mean) / error, count - 1);
  return mean < 0 ? tail : 1 - tail;
}

}  // namespace steelyard::tool
