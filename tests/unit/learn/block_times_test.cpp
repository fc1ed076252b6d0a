// SPDX-License-Identifier: Apache-2.0
#include "learn/block_times.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>

namespace steelyard::learn {
namespace {

constexpr std::array<std::uint64_t, 2> until{25, 100};
constexpr std::array<std::uint64_t, 2> took{300, 100};

TEST(block_times, are_parts_of_the_whole) {
  const block_times it(100, 2, until.data(), took.data());
  EXPECT_DOUBLE_EQ(it.ends[0], 0.25);
  EXPECT_DOUBLE_EQ(it.ends[1], 1);
  EXPECT_DOUBLE_EQ(it.parts[0], 0.75);
  EXPECT_DOUBLE_EQ(it.imbalance, 0.5);
  EXPECT_DOUBLE_EQ(it.rate, 4);
}

TEST(block_times, of_nothing_are_equal) {
  constexpr std::array<std::uint64_t, 2> none{};
  const block_times it(100, 2, until.data(), none.data());
  EXPECT_DOUBLE_EQ(it.parts[0], 0.5);
  EXPECT_DOUBLE_EQ(it.imbalance, 0);
}

TEST(block_times, are_compared_in_mean_blocks) {
  const block_times it(100, 2, until.data(), took.data());
  std::array<double, 2> expected{0.5, 0.5};
  EXPECT_DOUBLE_EQ(it.compare(expected.data()), 0.5);
  EXPECT_DOUBLE_EQ(expected[0], 0.5);
  EXPECT_DOUBLE_EQ(expected[1], -0.5);
}

TEST(block_times, know_their_blocks) {
  const block_times it(100, 2, until.data(), took.data());
  constexpr std::array<double, 2> same{0.2501, 1};
  constexpr std::array<double, 2> other{0.26, 1};
  EXPECT_TRUE(it.has(same.data(), 2));
  EXPECT_FALSE(it.has(other.data(), 2));
  EXPECT_FALSE(it.has(same.data(), 1));
}

TEST(block_times, allow_what_costs_that_are_not_negative_allow) {
  const block_times it(100, 2, until.data(), took.data());
  EXPECT_TRUE(it.allows(0.1, 0.7));
  EXPECT_FALSE(it.allows(0.1, 0.8)) << "more before 10 % than before 25 %";
  EXPECT_TRUE(it.allows(0.5, 0.8));
  EXPECT_FALSE(it.allows(0.5, 0.7));
  EXPECT_TRUE(it.allows(0.25, 0.1)) << "another time of the same block";
}

TEST(block_times, say_what_equal_blocks_had_lost) {
  const block_times it(100, 2, until.data(), took.data());
  EXPECT_NEAR(it.lost_by_equal(density()), 0, 1e-6);
  density costs;
  costs.fit(it.ends.data(), it.parts.data(), 2);
  EXPECT_NEAR(it.lost_by_equal(costs), 2 * (0.75 + 0.25 / 3) - 1, 1e-6);
}

}  // namespace
}  // namespace steelyard::learn
