// SPDX-License-Identifier: Apache-2.0
#include "learn/break_even.hpp"

#include <gtest/gtest.h>

namespace steelyard::learn {
namespace {

constexpr bool asleep = true;
constexpr bool awake = false;

TEST(BreakEven, IsNotKnownBeforeALoopWasShared) {
  const break_even even;
  EXPECT_EQ(even.of(awake), 0U);
  EXPECT_EQ(even.of(asleep), 0U);
  EXPECT_EQ(even.at(1000, {}), 0U);
}

TEST(BreakEven, IsTheArrivalAndTwiceOpeningAndEnding) {
  break_even even;
  even.shared(awake, {100, 300, 40, 5000});
  EXPECT_EQ(even.of(asleep), 0U) << "nothing is known of waking";
  even.shared(asleep, {1000, 9000, 40, 50'000});
  EXPECT_EQ(even.of(awake), 580U);
  EXPECT_EQ(even.of(asleep), 11'080U);
}

TEST(BreakEven, WhereSleepersDidNotComeTheArrivalIsNoLessThanTheLoop) {
  break_even even;
  even.shared(asleep, {10, 0, 300, 4000});
  EXPECT_EQ(even.of(asleep), 4020U) << "nor is there an end to wait for";
  even.shared(asleep, {10, 0, 300, 100});
  EXPECT_EQ(even.of(asleep), 4020U) << "that says nothing";
  even.shared(asleep, {10, 0, 300, 8000});
  EXPECT_EQ(even.of(asleep), 4520U);
}

TEST(BreakEven, OfWorkersThatLostTheirCoresNothingIsLearnt) {
  break_even even;
  even.shared(awake, {10, 0, 0, 4000});
  EXPECT_EQ(even.of(awake), 4020U) << "nothing else is known";
  even.shared(awake, {10, 500, 40, 4000});
  EXPECT_EQ(even.of(awake), 600U);
  even.shared(awake, {10, 0, 0, 4000});
  EXPECT_EQ(even.of(awake), 600U);
}

class WithBoth : public ::testing::Test {
 protected:
  WithBoth() {
    even.shared(awake, {100, 300, 50, 5000});
    even.shared(asleep, {1000, 9000, 50, 50'000});
    even.ended(100'000);
  }
  break_even even;
};

TEST_F(WithBoth, IsThatOfWorkersThatSpinUntilOneSleeps) {
  EXPECT_EQ(even.at(1'000'000, {false, 2000}), 600U);
  EXPECT_EQ(even.at(1'000'000, {true, 2000}), 11'100U);
}

TEST_F(WithBoth, LoopsThatFollowEachOtherCountAsIfWorkersWereAwake) {
  EXPECT_EQ(even.at(101'999, {true, 2000}), 600U);
  EXPECT_EQ(even.at(102'000, {true, 2000}), 11'100U);
}

/// A loop for two members of a large pool: the others sleep before each.
TEST(BreakEven, IsThatOfSleepersWhereSomeHaveSleptInAllLoops) {
  break_even even;
  even.shared(asleep, {1000, 9000, 50, 50'000});
  even.ended(100'000);
  EXPECT_EQ(even.at(100'001, {true, 2000}), 11'100U);
  EXPECT_EQ(even.at(100'001, {false, 2000}), 0U) << "nothing is known of those who are awake";
}

TEST(BreakEven, WakingThatTakesLessGoesBeforeSpinning) {
  break_even even;
  even.shared(awake, {100, 5000, 50, 9000});
  EXPECT_EQ(even.at(1000, {}), 5300U);
  even.shared(asleep, {100, 2000, 50, 9000});
  EXPECT_EQ(even.at(1000, {}), 2300U);
}

}  // namespace
}  // namespace steelyard::learn
