// SPDX-License-Identifier: Apache-2.0
#include "measure/statistics.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "made_up.hpp"
#include "measure/random.hpp"

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

TEST(statistics, an_interval_of_equal_values_is_a_point) {
  EXPECT_EQ(median_interval(values(7, 0.7)), (interval{0.7, 0.7}));
  EXPECT_NEAR(median_interval(values(5, 0.7)).value().high, 0.7, 1e-12);
}

TEST(statistics, one_or_two_rounds_have_no_interval) {
  EXPECT_FALSE(median_interval(values{}));
  EXPECT_FALSE(median_interval(values{0.7}));
  EXPECT_FALSE(median_interval(values{0.7, 0.8}));
  EXPECT_TRUE(median_interval(values{0.7, 0.8, 0.7}));
}

TEST(statistics, the_interval_of_three_is_students) {
  // Logarithms -0.1, 0, 0.1: standard error 0.1 / sqrt(3), and t of two degrees of freedom is 4.303.
  const auto found = median_interval(values{std::exp(-0.1), 1, std::exp(0.1)}).value();
  EXPECT_NEAR(std::log(found.high), 4.303 * 0.1 / std::sqrt(3.0), 1e-4);
  EXPECT_NEAR(std::log(found.low), -4.303 * 0.1 / std::sqrt(3.0), 1e-4);
}

/// Draws with the logarithm's standard deviation `noise`.
values noisy_ratios(random_stream& draw, std::size_t count, double noise) {
  values found;
  for (std::size_t i = 0; i < count; ++i) found.push_back(std::exp(noise * made_up::normal(draw)));
  return found;
}

TEST(statistics, intervals_hold_the_median_in_95_of_100_cases) {
  random_stream draw(7);
  constexpr int cases = 4000;
  for (const std::size_t rounds : {3U, 5U, 6U, 9U, 20U}) {
    int held = 0;
    for (int i = 0; i < cases; ++i) {
      const auto found = median_interval(noisy_ratios(draw, rounds, 0.05)).value();
      held += found.low <= 1 && 1 <= found.high ? 1 : 0;
    }
    EXPECT_GT(held, 0.94 * cases) << rounds << " rounds";
  }
}

TEST(statistics, from_six_on_it_lies_between_two_of_the_values) {
  EXPECT_EQ(median_interval(values{6, 1, 4, 2, 5, 3}), (interval{1, 6}));
  EXPECT_EQ(median_interval(values{9, 6, 1, 4, 2, 5, 3, 7, 8}), (interval{2, 8}));
}

TEST(statistics, the_interval_narrows_with_more_values) {
  values many;
  for (int i = 0; i < 200; ++i) many.push_back(1 + 0.001 * (i % 100));
  const auto found = median_interval(many).value();
  EXPECT_GT(found.low, 1.03);
  EXPECT_LT(found.high, 1.07);
  EXPECT_LE(found.low, median(many));
  EXPECT_GE(found.high, median(many));
}

TEST(statistics, upper_bounds_agree_with_tables_of_students_t) {
  const values ratios = {std::exp(-0.1), 1, std::exp(0.1)};
  EXPECT_NEAR(std::log(upper_bound(ratios, 0.05)), 2.920 * 0.1 / std::sqrt(3.0), 1e-4);
  EXPECT_TRUE(std::isinf(upper_bound(values{0.5}, 0.05)));
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
