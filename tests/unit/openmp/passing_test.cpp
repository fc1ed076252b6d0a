// SPDX-License-Identifier: Apache-2.0
#include "openmp/team/passing.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>

namespace steelyard::openmp {
namespace {

/// Stands for code: two whole tables of places.
alignas(16) std::array<std::array<char, sizeof(pass)>, 2 * pass_count> code;

const void* body(std::size_t place) { return code[place].data(); }

/// So many regions were seen that needed nothing.
bool has_been_idle(const void* of, std::uint32_t times) {
  bool idle = false;
  for (std::uint32_t i = 0; i < times; ++i) idle = is_idle(of);
  return idle;
}

class Passing : public testing::Test {
 protected:
  void SetUp() override {
    forget_passes();
    self.learns = false;
    self.passed = nullptr;
    self.passes = 0;
  }
};

TEST_F(Passing, OnlyWhatHasBeenIdleForSomeTime) {
  EXPECT_FALSE(may_pass(body(0)));
  EXPECT_FALSE(has_been_idle(body(0), idle_at_least));
  EXPECT_TRUE(has_been_idle(body(0), 1));
  EXPECT_FALSE(may_pass(body(0))) << "nobody has let it";
}

TEST_F(Passing, AsManyAsWereLet) {
  has_been_idle(body(1), idle_at_least + 1);
  let_pass(body(1), 3);
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(may_pass(body(1)));
    EXPECT_EQ(self.passed, body(1));
  }
  EXPECT_FALSE(may_pass(body(1)));
  EXPECT_FALSE(may_pass(body(2)));
}

TEST_F(Passing, NoOthersBeforeTheseHavePassed) {
  has_been_idle(body(1), idle_at_least + 1);
  let_pass(body(1), 2);
  EXPECT_FALSE(has_been_idle(body(1), 1)) << "one more was seen: those that may pass count as gone already";
  EXPECT_TRUE(may_pass(body(1)));
  EXPECT_FALSE(has_been_idle(body(1), 1));
  EXPECT_TRUE(may_pass(body(1)));
  EXPECT_TRUE(has_been_idle(body(1), 1));
}

/// Whatever other bodies come between, and however many passes a thread takes at once.
TEST_F(Passing, AsManyAsWereLetWhateverComesBetween) {
  for (const int in_a_row : {1, 2, 3, 7, 20}) {
    SetUp();
    for (const std::size_t place : {1, 2}) {
      has_been_idle(body(place), idle_at_least + 1);
      let_pass(body(place), place == 1 ? 100 : 1'000'000);
    }
    int passed = 0;
    for (int i = 0; i < 1'000; ++i) {
      if (may_pass(body(1))) ++passed;
      if (i % in_a_row == 0) {
        EXPECT_TRUE(may_pass(body(2)));
      }
    }
    EXPECT_EQ(passed, 100) << in_a_row;
  }
}

TEST_F(Passing, WhatWasTakenIsNotGivenToAnotherBodyInItsPlace) {
  const void* const other = body(6 + pass_count);
  has_been_idle(body(6), idle_at_least + 1);
  let_pass(body(6), 100);
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(may_pass(body(6)));
  EXPECT_GT(self.passes, 0U);
  EXPECT_FALSE(has_been_idle(other, 1));
  EXPECT_FALSE(may_pass(other));
  EXPECT_EQ(self.passes, 0U);
  EXPECT_EQ(pass_of(other).left.get(), 0U);
}

TEST_F(Passing, NotInARegionOfWhichMoreIsNoted) {
  has_been_idle(body(1), idle_at_least + 1);
  let_pass(body(1), 1);
  self.learns = true;
  EXPECT_FALSE(may_pass(body(1)));
  self.learns = false;
  EXPECT_TRUE(may_pass(body(1))) << "that was not counted";
}

TEST_F(Passing, NeverAgainAfterOneHasNeededSomething) {
  has_been_idle(body(4), idle_at_least + 1);
  let_pass(body(4), 100);
  see_all(body(4));
  EXPECT_TRUE(sees_all(body(4)));
  EXPECT_FALSE(may_pass(body(4)));
  EXPECT_FALSE(has_been_idle(body(4), 1000));
}

TEST_F(Passing, OfTwoBodiesInOnePlaceTheLastOneSeenHasIt) {
  const void* const other = body(5 + pass_count);
  ASSERT_EQ(&pass_of(body(5)), &pass_of(other));
  has_been_idle(body(5), idle_at_least + 1);
  let_pass(body(5), 100);
  EXPECT_FALSE(may_pass(other));
  EXPECT_FALSE(has_been_idle(other, 1));
  EXPECT_FALSE(may_pass(body(5)));
  let_pass(body(5), 100);
  EXPECT_FALSE(may_pass(other)) << "that was for the one before";
  see_all(body(5));
  EXPECT_FALSE(sees_all(other));
}

TEST_F(Passing, WhatLiesThereLaterBeginsAnew) {
  has_been_idle(body(6), idle_at_least + 1);
  let_pass(body(6), 100);
  see_all(body(7));
  forget_passes();
  EXPECT_FALSE(may_pass(body(6)));
  EXPECT_FALSE(has_been_idle(body(6), idle_at_least));
  EXPECT_FALSE(sees_all(body(7)));
}

}  // namespace
}  // namespace steelyard::openmp
