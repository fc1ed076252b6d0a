// SPDX-License-Identifier: Apache-2.0
#include "learn/cost_profile.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <thread>
#include <utility>
#include <vector>

#include "cost/distributions.hpp"
#include "cost/limit.hpp"

namespace steelyard::learn {
namespace {

/// Chunks of so many iterations, in ticks of a thousandth of the costs' unit.
void note(cost_profile& profile, const std::vector<double>& sums, std::uint64_t chunk) {
  const auto n = sums.size() - 1;
  profile.begin(n);
  for (std::uint64_t first = 0; first < n; first += chunk) {
    const auto count = std::min(chunk, n - first);
    profile.took(first, count, static_cast<std::uint64_t>(1000 * (sums[first + count] - sums[first])));
  }
}

/// Parts of the whole that so many equal blocks cost.
std::vector<double> blocks_of(const density& known, std::uint32_t blocks) {
  std::vector<double> ends(blocks);
  std::vector<double> parts(blocks);
  for (std::uint32_t m = 0; m < blocks; ++m) ends[m] = (m + 1.0) / blocks;
  known.parts(ends.data(), blocks, parts.data());
  return parts;
}

TEST(cost_profile, finds_what_parts_of_a_loop_cost) {
  const auto costs = cost::idws::dense_end(100'000);
  const auto sums = cost::prefix_sums(costs);
  for (const std::uint64_t chunk : {1U, 7U, 195U, 1000U}) {
    cost_profile profile;
    note(profile, sums, chunk);
    density known;
    EXPECT_EQ(profile.sum_up(known).work, profile.work());
    EXPECT_NEAR(static_cast<double>(profile.work()), 1000 * sums.back(), 1e-3 * 1000 * sums.back());
    const auto parts = blocks_of(known, 16);
    for (std::size_t m = 0; m < 16; ++m) {
      const auto exact = (sums[(m + 1) * 100'000 / 16] - sums[m * 100'000 / 16]) / sums.back();
      EXPECT_NEAR(parts[m], exact, 2e-3) << chunk << " " << m;
    }
  }
}

/// Whatever parts the chunks lie in, whole, half or several at once.
TEST(cost_profile, loses_no_tick) {
  for (const std::uint64_t n : {1U, 3U, 511U, 512U, 513U, 5000U, 100'003U}) {
    for (const std::uint64_t chunk : {1U, 2U, 10U, 196U, 1999U, 100'003U}) {
      cost_profile profile;
      profile.begin(n);
      std::uint64_t all = 0;
      for (std::uint64_t first = 0; first < n; first += chunk) {
        const auto ticks = 1 + first % 977;
        profile.took(first, std::min(chunk, n - first), ticks);
        all += ticks;
      }
      EXPECT_EQ(profile.work(), all) << n << " by " << chunk;
    }
  }
}

TEST(cost_profile, begins_with_nothing_each_time) {
  cost_profile used;
  used.begin(100'000);
  for (std::uint64_t first = 0; first < 100'000; first += 10) used.took(first, 10, 1 + first % 70);
  EXPECT_NE(used.deviation(), 0U);
  used.begin(1000);
  EXPECT_EQ(used.work(), 0U);
  EXPECT_EQ(used.deviation(), 0U);
  density none;
  EXPECT_EQ(used.sum_up(none).work, 0U);
}

TEST(cost_profile, finds_how_much_iterations_deviate) {
  const auto costs = cost::idws::random(200'000);
  const auto sums = cost::prefix_sums(costs);
  const auto mean = sums.back() / 200'000;
  double squares = 0;
  for (const double each : costs) squares += (each - mean) * (each - mean);
  const auto exact = 1024 * std::sqrt(squares / 200'000) / mean;
  for (const std::uint64_t chunk : {1U, 10U, 100U}) {
    cost_profile profile;
    note(profile, sums, chunk);
    EXPECT_NEAR(static_cast<double>(profile.deviation()), exact, 0.05 * exact) << chunk;
  }
}

TEST(cost_profile, of_a_triangle_finds_no_deviation_worth_speaking_of) {
  const auto sums = cost::prefix_sums(cost::adjoint(200'000));
  cost_profile profile;
  note(profile, sums, 10);
  EXPECT_LT(profile.deviation(), 10U);
}

/// What parts cost, from the least to the most, in parts of the mean.
std::pair<double, double> range_of(const density& known) {
  const auto parts = blocks_of(known, density::bins);
  const auto [least, most] = std::minmax_element(parts.begin(), parts.end());
  return {*least * density::bins, *most * density::bins};
}

density spread_of(const std::vector<double>& costs, std::uint64_t chunk) {
  cost_profile profile;
  note(profile, cost::prefix_sums(costs), chunk);
  density known;
  EXPECT_NE(profile.sum_up(known).work, 0U);
  return known;
}

/// Parts of 390 iterations at random deviate by 4 % from each other.
TEST(cost_profile, leaves_out_what_parts_differ_by_chance) {
  for (const auto& costs : {cost::idws::random(200'000), cost::power_law(200'000)}) {
    const auto [least, most] = range_of(spread_of(costs, 10));
    EXPECT_GE(least, 0.97);
    EXPECT_LE(most, 1.03);
  }
}

TEST(cost_profile, keeps_a_slope_of_iterations_that_deviate) {
  auto costs = cost::idws::random(200'000);
  for (std::size_t i = 0; i < costs.size(); ++i) costs[i] *= 1 + static_cast<double>(i) / 200'000;
  const auto parts = blocks_of(spread_of(costs, 10), 2);
  EXPECT_NEAR(parts[1] / parts[0], 1.4, 0.04);
}

/// They deviate as much as at random, but parts do not.
TEST(cost_profile, keeps_a_slope_of_iterations_that_are_dear_in_turn) {
  std::vector<double> costs(200'000);
  for (std::size_t i = 0; i < costs.size(); ++i) costs[i] = i % 2 == 0 ? 0 : 1 + 0.1 * static_cast<double>(i) / 200'000;
  const auto [least, most] = range_of(spread_of(costs, 1));
  EXPECT_NEAR(most / least, 1.1, 0.005);
}

/// A step is between neighbours.
TEST(cost_profile, keeps_a_part_that_is_dear_alone) {
  std::vector<double> costs(200'000, 1);
  std::fill_n(costs.begin() + 100'000, 390, 20);
  const auto [least, most] = range_of(spread_of(costs, 10));
  EXPECT_GE(most / least, 18);
}

TEST(cost_profile, takes_fewer_iterations_than_it_has_parts) {
  const auto sums = cost::prefix_sums(cost::adjoint(10));
  cost_profile profile;
  note(profile, sums, 1);
  density known;
  EXPECT_EQ(profile.sum_up(known).work, profile.work());
  const auto parts = blocks_of(known, 10);
  for (std::size_t i = 0; i < 10; ++i) EXPECT_NEAR(parts[i], (sums[i + 1] - sums[i]) / sums.back(), 2e-3) << i;
}

TEST(cost_profile, knows_nothing_before_anything_ran) {
  cost_profile profile;
  profile.begin(100);
  density known;
  EXPECT_EQ(profile.sum_up(known).work, 0U);
  EXPECT_EQ(profile.work(), 0U);
  EXPECT_EQ(profile.deviation(), 0U);
  profile.took(0, 100, 1000);
  EXPECT_NE(profile.sum_up(known).work, 0U);
  profile.begin(50);
  EXPECT_EQ(profile.work(), 0U) << "it began anew";
}

/// Ticks near 2^63 and the most iterations that there may be: no sum wraps within a chunk.
TEST(cost_profile, bears_the_largest_numbers) {
  cost_profile profile;
  constexpr auto most = ~std::uint64_t{0};
  profile.begin(most);
  profile.took(0, most / 2, most / 4);
  profile.took(most / 2, most - most / 2, most / 4);
  EXPECT_EQ(profile.work(), most / 4 * 2);
  density known;
  EXPECT_EQ(profile.sum_up(known).work, profile.work());
  EXPECT_NEAR(blocks_of(known, 2)[0], 0.5, 1e-3);
}

TEST(cost_profile, adds_up_what_members_note_at_once) {
  cost_profile profile;
  profile.begin(4000);
  std::vector<std::thread> members;
  for (std::uint64_t m = 0; m < 4; ++m) {
    members.emplace_back([&profile, m] {
      for (std::uint64_t i = 0; i < 1000; ++i) profile.took(4 * i + m, 1, 5);
    });
  }
  for (auto& each : members) each.join();
  EXPECT_EQ(profile.work(), 4000U * 5);
  EXPECT_EQ(profile.deviation(), 0U);
}

}  // namespace
}  // namespace steelyard::learn
