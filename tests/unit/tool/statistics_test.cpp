// SPDX-License-Identifier: Apache-2.0
#include "statistics.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace steelyard::tool {
namespace {

using values = std::vector<double>;

TEST(statistics, median) {
  EXPECT_EQ(median(values{}), 0);
  EXPECT_EQ(median(values{3}), 3);
  EXPECT_EQ(median(values{9, 1, 5}), 5);
  EXPECT_EQ(median(values{4, 1, 3, 2}), 2.5);
}

TEST(statistics, range) {
  EXPECT_EQ(range_of(values{}), (interval{0, 0}));
  EXPECT_EQ(range_of(values{2, 5, 1}), (interval{1, 5}));
}

TEST(statistics, ratios_are_paired_where_both_have_a_time) {
  EXPECT_EQ(paired_ratios(values{2, 6, 4}, values{1, 3, 0}), (values{2, 2}));
  EXPECT_EQ(paired_ratios(values{2, 0, 4, 0}, values{1, 3, 2, 0}), (values{2, 2}));
  EXPECT_EQ(paired_ratios(values{2, 6}, values{4}), (values{0.5}));
}

TEST(statistics, bootstrap_of_equal_values_is_a_point) {
  EXPECT_EQ(bootstrap_median(values{0.7, 0.7, 0.7, 0.7, 0.7}), (interval{0.7, 0.7}));
  EXPECT_EQ(bootstrap_median(values{0.7}), (interval{0.7, 0.7}));
}

TEST(statistics, bootstrap_of_five_is_bounded_by_their_extremes) {
  const auto found = bootstrap_median(values{1, 2, 3, 4, 5});
  EXPECT_EQ(found, (interval{1, 5}));
}

TEST(statistics, bootstrap_narrows_with_more_values) {
  values many;
  for (int i = 0; i < 200; ++i) many.push_back(1 + 0.001 * (i % 100));
  const auto found = bootstrap_median(many);
  EXPECT_GT(found.low, 1.03);
  EXPECT_LT(found.high, 1.07);
  EXPECT_LE(found.low, median(many));
  EXPECT_GE(found.high, median(many));
}

/// Ratios whose logarithms have mean `shift` and are t-distributed around it with a known statistic.
values ratios_with_t(double t) {
  // Logarithms -1, 0, 1 shifted by d have standard deviation 1 and t = d * sqrt(3).
  const double d = -t / std::sqrt(3.0);
  return {std::exp(d - 1), std::exp(d), std::exp(d + 1)};
}

TEST(statistics, chance_agrees_with_tables_of_students_t) {
  EXPECT_NEAR(chance_of_gain(ratios_with_t(0)), 0.5, 1e-9);
  EXPECT_NEAR(chance_of_gain(ratios_with_t(2.920)), 0.05, 1e-4);  // two degrees of freedom
  EXPECT_NEAR(chance_of_gain(ratios_with_t(9.925)), 0.005, 1e-5);
  EXPECT_NEAR(chance_of_gain(ratios_with_t(-2.920)), 0.95, 1e-4);
}

TEST(statistics, chance_without_spread) {
  EXPECT_EQ(chance_of_gain(values{0.9, 0.9, 0.9}), 0);
  EXPECT_EQ(chance_of_gain(values{1.1, 1.1, 1.1}), 1);
  EXPECT_EQ(chance_of_gain(values{0.5}), 1);
}

}  // namespace
}  // namespace steelyard::tool
