// SPDX-License-Identifier: Apache-2.0
#include "schedules/roots.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace steelyard::schedules {
namespace {

/// From the smallest to the largest normal number, with other mantissas on the way.
template <class Check>
void for_many(const Check& check) {
  for (double x = std::numeric_limits<double>::min(); x < std::numeric_limits<double>::max() / 8; x *= 7.31) check(x);
}

TEST(roots, are_those_of_libm) {
  for_many([](double x) {
    EXPECT_NEAR(square_root(x) / std::sqrt(x), 1, 5e-16) << x;
    EXPECT_NEAR(cube_root(x) / std::cbrt(x), 1, 1e-15) << x;
    EXPECT_NEAR(logarithm(x), std::log(x), 4e-16 * std::max(std::abs(std::log(x)), 0.5)) << x;
  });
  for (double x = 0.25; x < 8; x += 0.001) {
    EXPECT_NEAR(logarithm(x), std::log(x), 4e-16 * std::max(std::abs(std::log(x)), 0.5)) << x;
  }
}

TEST(roots, are_exact_where_it_matters) {
  EXPECT_EQ(square_root(0), 0);
  EXPECT_EQ(square_root(-1), 0);
  EXPECT_EQ(square_root(1), 1);
  EXPECT_EQ(square_root(4), 2);
  EXPECT_EQ(cube_root(0), 0);
  EXPECT_EQ(cube_root(-8), 0);
  EXPECT_EQ(logarithm(1), 0);
}

TEST(roots, become_whole_numbers_within_bounds) {
  constexpr auto largest = std::numeric_limits<std::uint64_t>::max();
  EXPECT_EQ(whole(2.9, 10), 2U);
  EXPECT_EQ(whole_up(2.1, 10), 3U);
  EXPECT_EQ(whole_up(3, 10), 3U);
  EXPECT_EQ(whole_up(9.5, 10), 10U);
  EXPECT_EQ(whole_up(11, 10), 10U);
  EXPECT_EQ(whole(-1, 10), 0U);
  EXPECT_EQ(whole_up(std::nan(""), 10), 0U);
  EXPECT_EQ(whole(1e30, largest), largest);
  EXPECT_EQ(whole_up(0x1.0p63, largest), 1ULL << 63);
}

}  // namespace
}  // namespace steelyard::schedules
