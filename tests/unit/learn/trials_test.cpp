// SPDX-License-Identifier: Apache-2.0
#include "learn/trials.hpp"

#include <gtest/gtest.h>

namespace steelyard::learn {
namespace {

/// How many loops that take `expected` run as expected before one is tried the other way.
int until_next(trials& tried, std::uint64_t expected, std::uint64_t cost) {
  for (int loops = 0; loops < 1'000'000; ++loops) {
    if (tried.is_time(expected, cost)) return loops;
  }
  return -1;
}

TEST(Trials, FirstRunAsExpected) {
  trials tried;
  EXPECT_FALSE(tried.is_time(10, 100));
}

TEST(Trials, AreMadeOnceInSoManyTimesOfTheirCost) {
  trials tried;
  // The first loop only begins to count. The loop that is tried counts nothing.
  EXPECT_EQ(until_next(tried, 10, 100), 10) << "after once the cost";
  EXPECT_EQ(until_next(tried, 10, 100), 19) << "twice";
  for (const int times : {4, 8, 16, 32, 64, 128, 128, 128}) EXPECT_EQ(until_next(tried, 10, 100), 10 * times - 1);
}

TEST(Trials, AreRareWhereTheyCostMuch) {
  trials tried;
  for (int early = 0; early < 8; ++early) static_cast<void>(until_next(tried, 100, 100'000));
  EXPECT_EQ(until_next(tried, 100, 100'000), 127'999) << "less than one percent";
}

TEST(Trials, CountTheTimeAndNotTheLoops) {
  trials tried;
  EXPECT_FALSE(tried.is_time(1000, 100));
  EXPECT_TRUE(tried.is_time(1000, 100));
  EXPECT_TRUE(tried.is_time(1000, 100)) << "a loop that takes longer than the trial's whole budget";
}

}  // namespace
}  // namespace steelyard::learn
