// SPDX-License-Identifier: Apache-2.0
#include "schedules/weigh.hpp"

#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "schedules/deal.hpp"

namespace steelyard::schedules {
namespace {

/// One member, so positions are iterations. Sums, and behind them that of all.
weigh::work weighing(const std::vector<double>& sums, halving halves = halving::search) {
  shape loop{sums.size() - 2};
  loop.known.sums = sums.data();
  loop.experiment.halves = halves;
  return {loop, deal::cyclic(loop, 1)};
}

const std::vector<double> uneven{0, 8, 9, 10, 11, 12, 32, 32};  // 8 1 1 1 1 20: the mean is 5.3

TEST(weigh, finds_where_half_of_the_work_is) {
  for (const auto halves : {halving::search, halving::scan}) {
    const auto weigh = weighing(uneven, halves);
    EXPECT_EQ(weigh.half_way({0, 5}), 1U);  // 8 of 12
    EXPECT_EQ(weigh.half_way({1, 5}), 3U);  // 2 of 4, exactly half
    EXPECT_EQ(weigh.half_way({1, 4}), 3U);  // 2 of 3
    EXPECT_EQ(weigh.half_way({0, 6}), 6U);  // the last alone is more than half
    EXPECT_EQ(weigh.half_way({5, 6}), 6U);
  }
  EXPECT_EQ(weighing(uneven, halving::iterations).half_way({0, 5}), 3U);
}

TEST(weigh, counts_units_where_costs_say_nothing) {
  const std::vector<double> late{0, 0, 0, 0, 0, 7, 7};
  const auto weigh = weighing(late);
  EXPECT_EQ(weigh.half_way({0, 4}), 2U);
  EXPECT_EQ(weigh.half_way({0, 3}), 2U);
  EXPECT_EQ(weigh.of({0, 4}, mean_unit_cost), 1U);  // has to be run all the same
  EXPECT_EQ(weigh.of({2, 2}, mean_unit_cost), 0U);
}

TEST(weigh, compares_work) {
  const auto weigh = weighing(uneven);
  EXPECT_GT(weigh.of({0, 1}, mean_unit_cost), weigh.of({1, 5}, mean_unit_cost));
  EXPECT_LT(weigh.of({0, 6}, mean_unit_cost), weigh::preferred);
  EXPECT_EQ(weigh.of({0, 6}, mean_unit_cost), std::uint64_t{1} << 62);
  EXPECT_EQ(weigh.work_of({0, 2}), 9);
}

TEST(weigh, reaches_the_work_of_mean_iterations) {
  const auto weigh = weighing(uneven);
  EXPECT_TRUE(weigh.reaches({0, 1}, mean_unit_cost, 1));
  EXPECT_FALSE(weigh.reaches({1, 5}, mean_unit_cost, 1));
  EXPECT_TRUE(weigh.reaches({0, 6}, mean_unit_cost, 6));
  EXPECT_FALSE(weigh.reaches({0, 6}, mean_unit_cost, 7));
  EXPECT_FALSE(weigh.reaches({3, 3}, mean_unit_cost, 0));
}

TEST(weigh, has_units_of_a_short_share_cost_more_where_shares_are_known_to_cost_the_same) {
  const std::uint64_t end = 100;
  shape loop{100, 1};
  const deal::blocks deal(loop, 1);
  const weigh::share unknown(loop, deal);
  EXPECT_EQ(unknown.unit_cost({0, 10}, 50), mean_unit_cost);
  loop.known.ends = &end;
  const weigh::share known(loop, deal);
  EXPECT_TRUE(known.knows_shares());
  EXPECT_EQ(known.unit_cost({0, 25}, 50), 2 * mean_unit_cost);
  EXPECT_EQ(known.unit_cost({3, 3}, 50), mean_unit_cost) << "of none";
  EXPECT_EQ(known.unit_cost({0, units::most}, 1), 1U) << "never nothing";
  EXPECT_EQ(known.of({0, 10}, 2 * mean_unit_cost), 20U);
  EXPECT_EQ(known.of({0, 1}, 1), 1U) << "has to be run all the same";
  EXPECT_EQ(known.of({4, 4}, mean_unit_cost), 0U);
  EXPECT_LT(known.of({0, units::most}, units::most), weigh::preferred);
  EXPECT_TRUE(known.reaches({0, 5}, 2 * mean_unit_cost, 10));
  EXPECT_FALSE(known.reaches({0, 4}, 2 * mean_unit_cost, 10));
}

TEST(weigh, has_no_costs_without_a_sum) {
  constexpr auto nan = std::numeric_limits<double>::quiet_NaN();
  constexpr auto infinity = std::numeric_limits<double>::infinity();
  for (const double total : {0.0, -1.0, nan, infinity, 1e-300}) {
    const std::vector<double> sums{0, 0, total, total};
    const auto weigh = weighing(sums);
    EXPECT_FALSE(weigh.has_costs()) << total;
    EXPECT_EQ(weigh.of({0, 2}, mean_unit_cost), 2U);
    EXPECT_TRUE(weigh.reaches({0, 2}, mean_unit_cost, 2));
    EXPECT_EQ(weigh.half_way({0, 2}), 1U);
  }
}

}  // namespace
}  // namespace steelyard::schedules
