// SPDX-License-Identifier: Apache-2.0
#include "learn/rate.hpp"

#include <gtest/gtest.h>

namespace steelyard::learn {
namespace {

constexpr std::uint64_t greatest = ~std::uint64_t{0};

TEST(Rate, IsTicksOf1024Iterations) {
  EXPECT_EQ(rate_of(1000, 1024), 1000U);
  EXPECT_EQ(rate_of(1, 1024), 1U) << "iterations below a tick";
  EXPECT_EQ(rate_of(7, 3), 2389U);
  EXPECT_EQ(ticks_at(2389, 3), 6U);
  EXPECT_EQ(ticks_at(0, 100), 0U);
}

TEST(Rate, SaysHowManyIterationsTakeSoLong) {
  EXPECT_EQ(iterations_in(1000, 2048), 500U);
  EXPECT_EQ(iterations_in(1000, 0), 0U) << "not known";
}

TEST(Rate, EndsAtTheGreatest) {
  EXPECT_EQ(ticks_at(greatest, 2), greatest);
  EXPECT_EQ(ticks_at(2, greatest), greatest);
  EXPECT_EQ(rate_of(greatest, 1), greatest);
  EXPECT_EQ(rate_of(greatest / 1024, 1), greatest / 1024 * 1024);
}

}  // namespace
}  // namespace steelyard::learn
