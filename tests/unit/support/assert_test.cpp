// SPDX-License-Identifier: Apache-2.0
#undef NDEBUG
#include "support/assert.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <string>

#include "assert_elsewhere.hpp"

namespace {

constexpr int asserted_in = __LINE__ + 1;
void be_in_order(int first, int last) { STEELYARD_ASSERT(first <= last, "[I2] a range is in order"); }

TEST(Assert, SaysFileLineConditionAndInvariantAndEndsTheProgram) {
  be_in_order(2, 3);
  EXPECT_EXIT(be_in_order(3, 2), testing::KilledBySignal(SIGABRT),
              "^steelyard: .*assert_test.cpp:" + std::to_string(asserted_in) +
                  ": assertion failed: first <= last: \\[I2\\] a range is in order\n$");
}

TEST(Assert, EvaluatesAConditionThatHoldsOnce) {
  int evaluations = 0;
  STEELYARD_ASSERT(++evaluations == 1, "[I1] once");
  EXPECT_EQ(evaluations, 1);
}

TEST(Assert, EvaluatesNothingWhereItIsOff) {
  int evaluations = 0;
  assert_where_it_is_off(evaluations);
  EXPECT_EQ(evaluations, 0);
}

TEST(Assert, IsOnWhereThePresetSaysSo) { EXPECT_EQ(are_assertions_on(), STEELYARD_TEST_ASSERTIONS != 0); }

/// Also in a constant expression.
constexpr int half(int of) {
  STEELYARD_ASSERT(of % 2 == 0, "[I1] it is even");
  return of / 2;
}
static_assert(half(4) == 2);

}  // namespace
