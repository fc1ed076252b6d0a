// SPDX-License-Identifier: Apache-2.0
#include "learn/alone_or_shared.hpp"

#include <gtest/gtest.h>

namespace steelyard::learn {
namespace {

verdict judge_of(std::uint64_t alone, std::uint64_t together, std::uint64_t even, std::uint32_t members = 2) {
  return judge({alone, together, 0, even, 5000, members});
}

TEST(Judge, WhatWasNeverMeasuredIsShared) {
  const auto found = judge_of(0, 0, 1000);
  EXPECT_FALSE(found.run.alone);
  EXPECT_FALSE(found.may_be_wrong);
  EXPECT_FALSE(judge_of(0, 0, 0).run.alone);
}

TEST(Judge, ALoopBelowTheBreakEvenRunsAlone) {
  const auto found = judge_of(1000, 1200, 1000);
  EXPECT_TRUE(found.run.alone);
  EXPECT_TRUE(found.may_be_wrong);
  EXPECT_EQ(found.run.expected, 1000U);
  EXPECT_FALSE(judge_of(1001, 1001, 1000).run.alone);
}

TEST(Judge, ATrialOfSharingCostsWhatItIsLonger) {
  EXPECT_EQ(judge({1000, 2200, 0, 1000, 1000, 2}).run.trial, 600U);
  EXPECT_EQ(judge({1000, 1000, 0, 1000, 1000, 2}).run.trial, 125U) << "an eighth at least";
  const auto waking = judge({1000, 2200, 0, 1000, 5000, 2});
  EXPECT_EQ(waking.run.trial, 5600U);
  EXPECT_TRUE(waking.run.wakes);
  EXPECT_FALSE(judge({1000, 2200, 0, 5000, 5000, 2}).run.wakes) << "they sleep before each loop";
}

TEST(Judge, ALoopThatIsLargeTogetherIsNotTakenForLarge) {
  EXPECT_TRUE(judge_of(0, 64'000, 1000).run.alone);
  EXPECT_FALSE(judge_of(0, 64'000, 1000).may_be_wrong);
  EXPECT_FALSE(judge_of(0, 64'001, 1000).run.alone);
}

TEST(Judge, WhatSharingAddsToTheIterationsCounts) {
  // Two members gain half of what is above the break-even, so they may add as much.
  EXPECT_TRUE(judge_of(3000, 5000, 1000).run.alone);
  EXPECT_FALSE(judge_of(3000, 4999, 1000).run.alone);
  // Four gain three quarters.
  EXPECT_TRUE(judge_of(3000, 9000, 1000, 4).run.alone);
  EXPECT_FALSE(judge_of(3000, 8999, 1000, 4).run.alone);
  EXPECT_FALSE(judge_of(5000, 3000, 1000).run.alone) << "less together than alone";
}

TEST(Judge, ASharedLoopIsTriedAloneOnlyNearTheBreakEven) {
  const auto near = judge_of(64'000, 70'000, 1000);
  EXPECT_FALSE(near.run.alone);
  EXPECT_TRUE(near.may_be_wrong);
  EXPECT_EQ(near.run.expected, 35'500U);
  EXPECT_EQ(near.run.trial, 28'500U);
  EXPECT_FALSE(judge_of(64'001, 70'000, 1000).may_be_wrong);
}

/// One iteration of two may be the whole loop.
TEST(Judge, ALoopThatSharingHasMadeNoShorterRunsAlone) {
  EXPECT_TRUE(judge({3000, 3000, 2500, 1000, 5000, 2}).run.alone) << "500 for sharing it, and 2500";
  EXPECT_FALSE(judge({3000, 3000, 2499, 1000, 5000, 2}).run.alone);
  EXPECT_TRUE(judge({3000, 3000, 2250, 1000, 5000, 4}).run.alone);
}

TEST(Judge, ASharedLoopIsExpectedToTakeWhatItTookByTheClock) {
  EXPECT_EQ(judge({30'000, 32'000, 20'000, 1000, 5000, 2}).run.expected, 20'500U);
  EXPECT_EQ(judge({30'000, 32'000, 0, 1000, 5000, 2}).run.expected, 16'500U) << "its members' equal parts at first";
}

/// What disturbed a loop alone does not make it worth sharing.
TEST(Judge, ALoopTakesNoLongerAloneThanAllMembersTogether) {
  const auto found = judge({17'000, 5000, 4500, 1000, 1000, 2});
  EXPECT_TRUE(found.run.alone) << "5000 at most, and shared as long";
  EXPECT_EQ(judge({17'000, 5000, 4000, 1000, 1000, 2}).run.trial, 562U) << "an eighth of 4500";
}

TEST(Alone, AnEarlyLookComesAfterASixteenth) {
  EXPECT_EQ(early_look(1000).done, 62U);
  EXPECT_EQ(early_look(1000).times, 16U);
  EXPECT_EQ(early_look(3).done, 1U);
  EXPECT_EQ(early_look(3).times, 3U);
}

constexpr outlook expected_to_take(std::uint64_t alone, std::uint64_t even, std::uint64_t opening) {
  return {alone, 0, 0, even, opening, 2};
}

TEST(Alone, ALoopFarLongerThanExpectedIsBetterShared) {
  const auto ahead = expected_to_take(1000, 400, 400);
  EXPECT_FALSE(is_better_shared(1000, 2001, ahead));
  EXPECT_TRUE(is_better_shared(1000, 2002, ahead));
  EXPECT_FALSE(is_better_shared(1000, 2002, expected_to_take(400, 1001, 0))) << "twice the break-even, too";
  EXPECT_FALSE(is_better_shared(1000, 2002, expected_to_take(400, 0, 1001))) << "or waking those who sleep";
}

/// A sixteenth that takes long may be one cache miss.
TEST(Alone, ALookBeforeTheBreakEvenSaysNothing) {
  EXPECT_FALSE(is_better_shared(399, 16 * 399, expected_to_take(1000, 400, 0)));
  EXPECT_TRUE(is_better_shared(400, 16 * 400, expected_to_take(1000, 400, 0)));
}

TEST(Alone, OfSmallLoopsNoLookIsWorthIt) {
  EXPECT_TRUE(is_known_small(expected_to_take(400, 400, 0), false));
  EXPECT_TRUE(is_known_small(expected_to_take(5000, 400, 5000), false)) << "workers sleep";
  EXPECT_FALSE(is_known_small(expected_to_take(401, 400, 0), false));
  EXPECT_FALSE(is_known_small(expected_to_take(400, 400, 0), true)) << "one of the last took longer";
  EXPECT_FALSE(is_known_small(expected_to_take(0, 400, 0), false)) << "nothing is known";
}

TEST(Alone, OneRunInEightIsNoted) {
  int noted = 0;
  for (std::uint64_t began = 0; began < 64'000; began += 64) noted += is_time_to_note(100, began) ? 1 : 0;
  EXPECT_EQ(noted, 125);
  EXPECT_TRUE(is_time_to_note(0, 64)) << "nothing is known";
}

}  // namespace
}  // namespace steelyard::learn
