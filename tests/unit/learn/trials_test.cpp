// SPDX-License-Identifier: Apache-2.0
#include "learn/trials.hpp"

#include <gtest/gtest.h>

namespace steelyard::learn {
namespace {

/// Loops that seem better alone, and wake nobody.
constexpr trials::run better_alone(std::uint64_t expected, std::uint64_t trial) {
  return {true, expected, trial, false};
}

/// How many runs are as seems better before a trial begins.
int until_next(trials& tried, const trials::run& next) {
  for (int runs = 0; runs < 1'000'000; ++runs) {
    if (tried.is_time(next)) return runs;
  }
  return -1;
}

/// How many runs follow the first of a trial.
int others(trials& tried, const trials::run& next) {
  int runs = 0;
  while (tried.is_time(next)) ++runs;
  return runs;
}

TEST(Trials, FirstRunAsExpected) {
  trials tried;
  EXPECT_FALSE(tried.is_time(better_alone(10, 100)));
}

TEST(Trials, AreMadeOnceInSoManyTimesOfTheirCost) {
  trials tried;
  const auto next = better_alone(10, 100);
  // The first run only begins to count, and one ends the trial before. Those of a trial count nothing.
  EXPECT_EQ(until_next(tried, next), 10) << "after once the cost";
  for (const int times : {2, 4, 8, 16, 32, 64, 128, 256, 512, 512, 512}) {
    EXPECT_EQ(others(tried, next), 3);
    EXPECT_EQ(until_next(tried, next), 10 * times - 2) << times;
  }
}

TEST(Trials, AreRareWhereTheyCostMuch) {
  trials tried;
  const auto next = better_alone(100, 100'000);
  for (int early = 0; early < 10; ++early) {
    until_next(tried, next);
    others(tried, next);
  }
  EXPECT_EQ(until_next(tried, next), 511'998) << "four runs: less than a percent";
}

TEST(Trials, CountTheTimeAndNotTheLoops) {
  trials tried;
  EXPECT_FALSE(tried.is_time(better_alone(1000, 100)));
  EXPECT_TRUE(tried.is_time(better_alone(1000, 100))) << "a loop that takes longer than the trial's whole budget";
}

/// They tell what waking costs, and only runs that follow what sharing costs.
TEST(Trials, RunsThatWakeWorkersDoNotCount) {
  trials tried;
  auto next = better_alone(10, 100);
  next.wakes = true;
  until_next(tried, next);
  for (int run = 0; run < 3; ++run) EXPECT_TRUE(tried.is_time(next));
  next.wakes = false;
  EXPECT_EQ(others(tried, next), 3);
}

TEST(Trials, EndThoughNoWorkerComes) {
  trials tried;
  auto next = better_alone(10, 100);
  next.wakes = true;
  until_next(tried, next);
  EXPECT_EQ(others(tried, next), 15);
}

TEST(Trials, EndWhenTheOtherWaySeemsWorse) {
  trials tried;
  until_next(tried, better_alone(10, 100));
  EXPECT_FALSE(tried.is_time({false, 10, 100, false})) << "shared now, as was tried";
  EXPECT_FALSE(tried.is_time(better_alone(10, 100))) << "and the trial is over";
}

}  // namespace
}  // namespace steelyard::learn
