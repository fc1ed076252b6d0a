// SPDX-License-Identifier: Apache-2.0
#include "learn/lesser.hpp"

#include <gtest/gtest.h>

namespace steelyard::learn {
namespace {

TEST(lesser, nothing_is_known_at_first) {
  const lesser of;
  EXPECT_EQ(of.get(), 0U);
  EXPECT_FALSE(of.is_known_twice());
}

TEST(lesser, one_value_is_itself) {
  lesser of;
  of.add(7);
  EXPECT_EQ(of.get(), 7U);
  EXPECT_FALSE(of.is_known_twice());
}

TEST(lesser, one_disturbed_value_decides_nothing) {
  lesser of;
  of.add(7);
  of.add(1'000'000);
  EXPECT_EQ(of.get(), 7U);
  EXPECT_TRUE(of.is_known_twice());
  of.add(8);
  EXPECT_EQ(of.get(), 8U);
}

TEST(lesser, two_do) {
  lesser of;
  for (const auto value : {7U, 100U, 101U}) of.add(value);
  EXPECT_EQ(of.get(), 100U);
}

TEST(lesser, nothing_takes_no_time) {
  lesser of;
  of.add(0);
  EXPECT_EQ(of.get(), 1U);
}

}  // namespace
}  // namespace steelyard::learn
