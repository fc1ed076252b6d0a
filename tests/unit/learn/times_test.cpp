// SPDX-License-Identifier: Apache-2.0
#include "learn/times.hpp"

#include <gtest/gtest.h>

namespace steelyard::learn {
namespace {

TEST(Times, AreNotKnownBeforeARun) {
  const times took;
  EXPECT_EQ(took.alone(1000), 0U);
  EXPECT_EQ(took.together(1000), 0U);
  EXPECT_EQ(took.apart(1000), 0U);
  EXPECT_EQ(took.rate(), 0U);
  EXPECT_FALSE(took.is_in_doubt());
}

TEST(Times, ScaleToLoopsOfAnotherLength) {
  times took;
  took.took_alone(5000, 1024);
  took.took_together(8000, 2048);
  took.took_apart(6000, 2048, true);
  EXPECT_EQ(took.alone(512), 2500U);
  EXPECT_EQ(took.together(512), 2000U);
  EXPECT_EQ(took.apart(512), 1500U);
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

TEST(Times, LongRunsAreADoubtAndTheThirdIsBelieved) {
  times took;
  took.took_alone(1000, 1024);
  took.took_together(1200, 1024);
  took.took_apart(700, 1024, true);
  took.took_long_alone(1'000'000, 1024);
  EXPECT_TRUE(took.is_in_doubt());
  EXPECT_EQ(took.alone(1024), 1000U) << "a thread may have lost its core";
  took.took_long_alone(1'000'000, 1024);
  EXPECT_EQ(took.alone(1024), 1000U) << "and may do so again soon";
  EXPECT_EQ(took.together(1024), 1200U);
  took.took_long_alone(1'000'000, 1024);
  EXPECT_EQ(took.alone(1024), 1'000'000U);
  EXPECT_EQ(took.together(1024), 1'000'000U) << "it is another loop";
  EXPECT_EQ(took.apart(1024), 0U);
}

TEST(Times, OneLongRunIsBelievedWhereNothingIsKnown) {
  times took;
  took.took_long_alone(1'000'000, 1024);
  EXPECT_EQ(took.alone(1024), 1'000'000U);
}

TEST(Times, ADoubtEndsAfterSixteenUsualRuns) {
  times took;
  took.took_alone(1000, 1024);
  for (int time = 0; time < 5; ++time) {
    took.took_long_alone(1'000'000, 1024);
    EXPECT_EQ(took.alone(1024), 1000U) << "the first of its kind again";
    for (int run = 0; run < 15; ++run) took.ran_as_usual();
    EXPECT_TRUE(took.is_in_doubt());
    took.ran_as_usual();
    EXPECT_FALSE(took.is_in_doubt());
    took.ran_as_usual();
    EXPECT_FALSE(took.is_in_doubt()) << "and stays so";
  }
}

TEST(Times, RememberWhetherTheLastRunWasShared) {
  times took;
  EXPECT_FALSE(took.was_shared());
  took.took_long_alone(1000, 1024);
  EXPECT_FALSE(took.was_shared());
  took.took_together(8000, 2048);
  took.took_together(8000, 2048);
  EXPECT_TRUE(took.was_shared());
  EXPECT_TRUE(took.is_in_doubt()) << "of what it takes alone a shared run says nothing";
  took.ran_as_usual();
  EXPECT_FALSE(took.was_shared());
  for (int run = 0; run < 15; ++run) took.ran_as_usual();
  EXPECT_FALSE(took.is_in_doubt());
}

TEST(Times, OfSharedRunsThatWereDisturbedLittleIsBelieved) {
  times took;
  took.took_apart(8000, 1024, true);
  took.took_apart(1'000'000, 1024, true);
  EXPECT_EQ(took.apart(1024), 8501U) << "an eighth of half as much again";
  took.took_apart(6001, 1024, true);
  EXPECT_EQ(took.apart(1024), 7251U) << "half of what is shorter";
  for (int run = 0; run < 50; ++run) took.took_apart(20'000, 1024, true);
  EXPECT_GT(took.apart(1024), 19'000U) << "but if it stays so";
}

TEST(Times, OfSharedRunsThatNoWorkerCameToNextToNothingIsBelieved) {
  times took;
  took.took_apart(8000, 1024, false);
  EXPECT_EQ(took.apart(1024), 0U);
  took.took_apart(8000, 1024, true);
  for (int run = 0; run < 100; ++run) took.took_apart(16'000, 1024, false);
  EXPECT_LT(took.apart(1024), 9000U);
  for (int run = 0; run < 2000; ++run) took.took_apart(16'000, 1024, false);
  EXPECT_GT(took.apart(1024), 15'000U) << "if none ever comes";
}

TEST(Times, NothingIsTooShortToBecomeLonger) {
  times took;
  took.took_apart(0, 4096, true);
  for (int run = 0; run < 500; ++run) took.took_apart(20'000, 4096, true);
  EXPECT_GT(took.apart(4096), 19'000U);
}

}  // namespace
}  // namespace steelyard::learn
