// SPDX-License-Identifier: Apache-2.0
#include "learn/alone_or_shared.hpp"

#include <gtest/gtest.h>

namespace steelyard::learn {
namespace {

verdict judge_of(std::uint64_t alone, std::uint64_t together, std::uint64_t even, std::uint32_t members = 2) {
  return judge({alone, together, even, 5000, members});
}

TEST(Judge, WhatWasNeverMeasuredIsShared) {
  const auto found = judge_of(0, 0, 1000);
  EXPECT_FALSE(found.alone);
  EXPECT_FALSE(found.may_be_wrong);
  EXPECT_FALSE(judge_of(0, 0, 0).alone);
}

TEST(Judge, ALoopBelowTheBreakEvenRunsAlone) {
  const auto found = judge_of(1000, 1200, 1000);
  EXPECT_TRUE(found.alone);
  EXPECT_TRUE(found.may_be_wrong);
  EXPECT_EQ(found.expected, 1000U);
  EXPECT_EQ(found.trial, 5000U) << "opening it";
  EXPECT_EQ(judge_of(1000, 7000, 1000).trial, 7000U) << "or all of its time together";
  EXPECT_FALSE(judge_of(1001, 1001, 1000).alone);
}

TEST(Judge, ALoopThatIsLargeTogetherIsNotTakenForLarge) {
  EXPECT_TRUE(judge_of(0, 64'000, 1000).alone);
  EXPECT_FALSE(judge_of(0, 64'000, 1000).may_be_wrong);
  EXPECT_FALSE(judge_of(0, 64'001, 1000).alone);
}

TEST(Judge, WhatSharingAddsToTheIterationsCounts) {
  // Two members gain half of what is above the break-even, so they may add as much.
  EXPECT_TRUE(judge_of(3000, 5000, 1000).alone);
  EXPECT_FALSE(judge_of(3000, 4999, 1000).alone);
  EXPECT_EQ(judge_of(3000, 6000, 1000).trial, 6000U);
  // Four gain three quarters.
  EXPECT_TRUE(judge_of(3000, 9000, 1000, 4).alone);
  EXPECT_FALSE(judge_of(3000, 8999, 1000, 4).alone);
  EXPECT_FALSE(judge_of(5000, 3000, 1000).alone) << "less together than alone";
}

TEST(Judge, ASharedLoopIsTriedAloneOnlyNearTheBreakEven) {
  const auto near = judge_of(64'000, 70'000, 1000);
  EXPECT_FALSE(near.alone);
  EXPECT_TRUE(near.may_be_wrong);
  EXPECT_EQ(near.expected, 70'000U);
  EXPECT_EQ(near.trial, 64'000U);
  EXPECT_FALSE(judge_of(64'001, 70'000, 1000).may_be_wrong);
}

TEST(Alone, ALookComesAfterHalfOrASixteenth) {
  EXPECT_EQ(before_look(1000, true), 500U);
  EXPECT_EQ(before_look(1000, false), 62U);
  EXPECT_EQ(before_look(3, false), 1U);
  EXPECT_EQ(before_look(1, true), 0U);
}

TEST(Alone, ALoopFarLongerThanExpectedIsBetterShared) {
  EXPECT_FALSE(is_better_shared(2001, 1000, 400));
  EXPECT_TRUE(is_better_shared(2002, 1000, 400));
  EXPECT_FALSE(is_better_shared(2002, 400, 1001)) << "twice the break-even, too";
}

TEST(Alone, OneRunInEightIsLookedAt) {
  int looks = 0;
  for (std::uint64_t began = 0; began < 64'000; began += 64) looks += is_time_to_look(100, began) ? 1 : 0;
  EXPECT_EQ(looks, 125);
  EXPECT_TRUE(is_time_to_look(0, 64)) << "nothing is known";
}

}  // namespace
}  // namespace steelyard::learn
