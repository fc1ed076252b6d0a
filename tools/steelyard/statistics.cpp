// SPDX-License-Identifier: Apache-2.0
#include "statistics.hpp"

#include <algorithm>
#include <cstdint>

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
    if (baseline[i] > 0) ratios.push_back(values[i] / baseline[i]);
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

}  // namespace steelyard::tool
