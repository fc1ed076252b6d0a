// SPDX-License-Identifier: Apache-2.0
#include "learn/times.hpp"

#include <gtest/gtest.h>

namespace steelyard::learn {
namespace {

TEST(Times, AreNotKnownBeforeARun) {
  const times took;
  EXPECT_EQ(took.alone(1000), 0U);
  EXPECT_EQ(took.together(1000), 0U);
  EXPECT_EQ(took.rate(), 0U);
  EXPECT_FALSE(took.is_in_doubt());
}

TEST(Times, ScaleToLoopsOfAnotherLength) {
  times took;
  took.took_alone(5000, 1024);
  took.took_together(8000, 2048);
  EXPECT_EQ(took.alone(512), 2500U);
  EXPECT_EQ(took.together(512), 2000U);
}

TEST(Times, OfOneMemberAreTheLesserThatIsKnown) {
  times took;
  took.took_together(9000, 1024);
  EXPECT_EQ(took.rate(), 9000U);
  took.took_alone(5000, 1024);
  EXPECT_EQ(took.rate(), 5000U);
  times only_alone;
  only_alone.took_alone(700, 1024);
  EXPECT_EQ(only_alone.rate(), 700U);
}

TEST(Times, OneLongRunIsADoubtAndTwoAreBelieved) {
  times took;
  took.took_alone(1000, 1024);
  took.took_long_alone(1'000'000, 1024);
  EXPECT_TRUE(took.is_in_doubt());
  EXPECT_EQ(took.alone(1024), 1375U) << "as any other run that was disturbed";
  took.took_long_alone(1'000'000, 1024);
  EXPECT_EQ(took.alone(1024), 1'000'000U);
}

TEST(Times, ADoubtEndsAfterSixteenUsualRuns) {
  times took;
  took.took_long_alone(1000, 1024);
  for (int run = 0; run < 15; ++run) took.ran_as_usual();
  EXPECT_TRUE(took.is_in_doubt());
  took.ran_as_usual();
  EXPECT_FALSE(took.is_in_doubt());
  took.ran_as_usual();
  EXPECT_FALSE(took.is_in_doubt()) << "and stays so";
  took.took_long_alone(1'000'000, 1024);
  EXPECT_EQ(took.alone(1024), 1375U) << "the first of its kind again";
}

}  // namespace
}  // namespace steelyard::learn
