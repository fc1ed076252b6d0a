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

TEST(BreakEven, IsTheArrivalAndTwiceTheOpening) {
  break_even even;
  even.shared(awake, 100, 300, 5000);
  even.shared(asleep, 1000, 9000, 50'000);
  EXPECT_EQ(even.of(awake), 500U);
  EXPECT_EQ(even.of(asleep), 11'000U);
}

TEST(BreakEven, WhereNobodyCameTheArrivalIsNoLessThanTheLoop) {
  break_even even;
  even.shared(awake, 10, 0, 4000);
  EXPECT_EQ(even.of(awake), 4020U);
  even.shared(awake, 10, 0, 100);
  EXPECT_EQ(even.of(awake), 4020U) << "that says nothing";
  even.shared(awake, 10, 0, 8000);
  EXPECT_EQ(even.of(awake), 4520U);
}

class WithBoth : public ::testing::Test {
 protected:
  WithBoth() {
    even.shared(awake, 100, 300, 5000);
    even.shared(asleep, 1000, 9000, 50'000);
    even.ended(100'000);
  }
  break_even even;
};

TEST_F(WithBoth, IsThatOfWorkersThatSpinUntilOneSleeps) {
  EXPECT_EQ(even.at(1'000'000, {false, 2000}), 500U);
  EXPECT_EQ(even.at(1'000'000, {true, 2000}), 11'000U);
}

TEST_F(WithBoth, LoopsThatFollowEachOtherCountAsIfWorkersWereAwake) {
  EXPECT_EQ(even.at(101'999, {true, 2000}), 500U);
  EXPECT_EQ(even.at(102'000, {true, 2000}), 11'000U);
}

TEST(BreakEven, WakingThatTakesLessGoesBeforeSpinning) {
  break_even even;
  even.shared(awake, 100, 5000, 9000);
  EXPECT_EQ(even.at(1000, {}), 5200U);
  even.shared(asleep, 100, 2000, 9000);
  EXPECT_EQ(even.at(1000, {}), 2200U);
}

}  // namespace
}  // namespace steelyard::learn
