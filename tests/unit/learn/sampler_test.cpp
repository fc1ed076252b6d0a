// SPDX-License-Identifier: Apache-2.0
#include "learn/sampler.hpp"

#include <gtest/gtest.h>

namespace steelyard::learn {
namespace {

constexpr std::uint64_t enough = 3000;

TEST(sampler, a_long_instance_counts_by_itself) {
  sampler of;
  ASSERT_TRUE(of.add(3000, 10, 5000, enough));
  const auto it = of.take();
  EXPECT_EQ(it.ticks, 3000U);
  EXPECT_EQ(it.iterations, 10U);
  EXPECT_EQ(it.finished, 5000U);
  EXPECT_EQ(it.instances, 1U);
  EXPECT_FALSE(of.add(2999, 10, 5000, enough)) << "the long one was taken";
}

TEST(sampler, of_three_lots_of_short_ones_the_middle_counts) {
  sampler of;
  for (int i = 0; i < 9; ++i) EXPECT_FALSE(of.add(100, 10, 1, enough));
  EXPECT_FALSE(of.add(5100, 10, 1, enough)) << "one was held up, in the first lot";
  for (int i = 0; i < 19; ++i) EXPECT_FALSE(of.add(102, 10, 1, enough)) << i;
  ASSERT_TRUE(of.add(102, 10, 1, enough));
  const auto it = of.take();
  EXPECT_EQ(it.ticks, 1020U);
  EXPECT_EQ(it.iterations, 100U);
  EXPECT_EQ(it.finished, 10U);
  EXPECT_EQ(it.instances, 30U) << "of all three";
}

TEST(sampler, lots_are_compared_by_what_an_iteration_takes) {
  sampler of;
  EXPECT_FALSE(of.add(2000, 1, 1, enough));
  EXPECT_FALSE(of.add(1000, 100, 1, enough));
  ASSERT_TRUE(of.add(1500, 10, 1, enough));
  EXPECT_EQ(of.take().iterations, 10U);
}

TEST(sampler, when_members_ended_is_not_known_where_it_once_was_not) {
  sampler of;
  EXPECT_FALSE(of.add(1000, 1, 900, enough));
  EXPECT_FALSE(of.add(1000, 4, 900, enough));
  EXPECT_FALSE(of.add(500, 1, 900, enough));
  ASSERT_TRUE(of.add(500, 1, 0, enough)) << "in the middle lot";
  EXPECT_EQ(of.take().finished, lot::not_known);
}

TEST(sampler, when_members_ended_is_known_of_the_lot_that_counts) {
  sampler of;
  EXPECT_FALSE(of.add(1000, 1, 0, enough));
  EXPECT_FALSE(of.add(1000, 4, 0, enough));
  EXPECT_FALSE(of.add(500, 1, 900, enough));
  ASSERT_TRUE(of.add(500, 1, 800, enough));
  EXPECT_EQ(of.take().finished, 1700U);
}

TEST(sampler, what_was_forgotten_does_not_count) {
  sampler of;
  EXPECT_FALSE(of.add(1000, 1, 1, enough));
  EXPECT_FALSE(of.add(1000, 1, 1, enough));
  of.forget();
  EXPECT_FALSE(of.add(1000, 1, 1, enough));
  EXPECT_FALSE(of.add(1000, 1, 1, enough));
  EXPECT_TRUE(of.add(1000, 1, 1, enough));
  EXPECT_EQ(of.take().instances, 3U);
}

TEST(sampler, no_time_is_too_long) {
  sampler of;
  ASSERT_TRUE(of.add(~std::uint64_t{0}, ~std::uint64_t{0}, ~std::uint64_t{0}, enough));
  EXPECT_EQ(of.take().ticks, ~std::uint64_t{0});
}

}  // namespace
}  // namespace steelyard::learn
