// SPDX-License-Identifier: Apache-2.0
// The clock is made up: what a bin takes is computed from what its iterations are said to cost.
#include "learn/cost_terms.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace steelyard::learn {
namespace {

constexpr auto bins = cost_terms::bins;
constexpr std::uint64_t n = std::uint64_t{bins} * 10;

/// A loop whose iterations have so many inner trips in each bin, and another number.
cost_terms::numbers triangle() {
  cost_terms::numbers x{};
  for (std::uint32_t b = 0; b < bins; ++b) {
    x[0][b] = 10.0 * b;
    x[1][b] = 10.0 * (b % 7);
  }
  return x;
}

cost_terms made(std::uint32_t terms, std::vector<double> c, const cost_terms::numbers& x) {
  cost_terms cost;
  cost.begin(terms, c.data(), c.data() + 1);
  cost.set(x, n);
  return cost;
}

std::vector<std::uint64_t> times(const cost_terms::numbers& x, double c0, double c1, double c2 = 0) {
  std::vector<std::uint64_t> ticks(bins);
  for (std::uint32_t b = 0; b < bins; ++b)
    ticks[b] = static_cast<std::uint64_t>(std::lround(c0 * 10 + c1 * x[0][b] + c2 * x[1][b]));
  return ticks;
}

TEST(CostTerms, SeedsHoldUntilChunksAreTimed) {
  const auto cost = made(1, {3, 2}, triangle());
  schedules::profile profile;
  ASSERT_TRUE(cost.weigh(profile));
  double before = 0;
  double all = 0;
  for (std::uint32_t b = 0; b < bins; ++b) {
    const double work = 3 * 10 + 2 * 10.0 * b;
    before += b < bins / 2 ? work : 0;
    all += work;
  }
  EXPECT_NEAR(profile.before(bins / 2, bins) / profile.total(), before / all, 1e-9);
}

TEST(CostTerms, ConstantsFollowFromTimes) {
  const auto x = triangle();
  auto cost = made(2, {1, 1, 1}, x);
  cost.refine(times(x, 40, 5, 17).data());
  EXPECT_NEAR(cost.constants()[0], 40, 0.1);
  EXPECT_NEAR(cost.constants()[1], 5, 0.1);
  EXPECT_NEAR(cost.constants()[2], 17, 0.1);
}

TEST(CostTerms, NoiseAveragesOut) {
  const auto x = triangle();
  auto cost = made(1, {1, 1}, x);
  auto ticks = times(x, 100, 7);
  for (std::uint32_t b = 0; b < bins; ++b) ticks[b] = ticks[b] * (b % 2 == 0 ? 13 : 7) / 10;
  cost.refine(ticks.data());
  EXPECT_NEAR(cost.constants()[1], 7, 0.3);
  EXPECT_NEAR(cost.constants()[0], 100, 150);  // little beside 7 x 5,120
}

TEST(CostTerms, NoConstantIsNegative) {
  const auto x = triangle();
  auto cost = made(1, {1, 1}, x);
  auto ticks = times(x, 0, 5);
  for (std::uint32_t b = 0; b < bins / 4; ++b)
    ticks[b] = 0;  // as if the first were free: a line through them would begin below 0
  cost.refine(ticks.data());
  EXPECT_EQ(cost.constants()[0], 0);
  EXPECT_GT(cost.constants()[1], 0);
}

TEST(CostTerms, ANumberThatSaysNothingBesideOthersIsLeftOut) {
  auto x = triangle();
  x[1] = x[0];
  auto cost = made(2, {1, 1, 1}, x);
  cost.refine(times(x, 20, 4).data());
  EXPECT_NEAR(cost.constants()[0], 20, 0.1);
  EXPECT_NEAR(cost.constants()[1] + cost.constants()[2], 4, 0.01);
  EXPECT_EQ(cost.constants()[2], 0);
}

TEST(CostTerms, TimesThatSayNothingChangeNothing) {
  auto cost = made(1, {3, 2}, triangle());
  cost.refine(std::vector<std::uint64_t>(bins).data());
  EXPECT_EQ(cost.constants()[0], 3);
  EXPECT_EQ(cost.constants()[1], 2);
}

TEST(CostTerms, LaterTimesCountMore) {
  const auto x = triangle();
  auto cost = made(1, {1, 1}, x);
  cost.refine(times(x, 10, 2).data());
  for (int round = 0; round < 30; ++round) cost.refine(times(x, 50, 8).data());
  EXPECT_NEAR(cost.constants()[0], 50, 0.1);
  EXPECT_NEAR(cost.constants()[1], 8, 0.01);
}

TEST(CostTerms, WhatIsNoNumberOrNothingIsNotWeighed) {
  schedules::profile profile;
  EXPECT_FALSE(made(1, {0, 0}, triangle()).weigh(profile));
  auto x = triangle();
  x[0][3] = std::numeric_limits<double>::infinity();
  EXPECT_FALSE(made(1, {1, 1}, x).weigh(profile));
  EXPECT_FALSE(made(1, {-1, std::nan("")}, triangle()).weigh(profile));
}

TEST(CostTerms, GuessHowLongBinsTake) {
  cost_terms::numbers x{};
  x[0].fill(10);
  x[1].fill(100);
  const double iteration = 2;
  const double seeds[] = {8, 4, std::nan("")};
  const auto of = [&](std::uint32_t terms, std::uint32_t first, std::uint32_t behind) {
    return guessed_ticks(std::span(x).first(terms), n, first, behind, &iteration, seeds);
  };
  const auto in_bin = n / bins;
  EXPECT_EQ(of(0, 0, 1), 2 * in_bin / 4);
  EXPECT_EQ(of(1, 3, 5), 2 * (2 * in_bin + 80) / 4);
  EXPECT_EQ(of(2, 0, 1), (2 * in_bin + 80 + 400) / 4);
  EXPECT_EQ(of(3, 0, 1), of(2, 0, 1)) << "what is no number counts as nothing";
  EXPECT_EQ(of(2, 5, 5), 0U);
  EXPECT_TRUE(is_guess(&iteration));
  const double none[] = {0, std::nan("")};
  EXPECT_FALSE(is_guess(none));
  EXPECT_FALSE(is_guess(none + 1));
}

TEST(CostTerms, SamplesStandForTheirNeighbours) {
  cost_terms::numbers x{};
  double sums[] = {30, -1, std::nan("")};
  spread(sums, 3, 4, 7, n, x);
  for (std::uint32_t b = 0; b < 10; ++b) EXPECT_EQ(x[0][b], b >= 4 && b < 7 ? 100 : 0) << b;
  EXPECT_EQ(x[1][5], 0);
  EXPECT_EQ(x[2][5], 0);
  EXPECT_EQ(sums[0], 0);
  spread(sums, 0, 0, bins, n, x);
  EXPECT_EQ(x[0][5], 0);
}

}  // namespace
}  // namespace steelyard::learn
