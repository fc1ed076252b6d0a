// SPDX-License-Identifier: Apache-2.0
#include "text/units.hpp"

#include <gtest/gtest.h>

namespace steelyard::tool {
namespace {

TEST(units, times_have_four_digits) {
  EXPECT_EQ(time_text(0), "0.000 ns");
  EXPECT_EQ(time_text(20.53), "20.53 ns");
  EXPECT_EQ(time_text(999.96), "1.000 us");
  EXPECT_EQ(time_text(17870), "17.87 us");
  EXPECT_EQ(time_text(1234), "1.234 us");
  EXPECT_EQ(time_text(12345678), "12.35 ms");
  EXPECT_EQ(time_text(999960000), "1.000 s");
  EXPECT_EQ(time_text(123.4e9), "123.4 s");
  EXPECT_EQ(time_text(12345e9), "12345 s");
  EXPECT_EQ(time_text(-1), "?");
}

TEST(units, shares_and_counts) {
  EXPECT_EQ(percent_text(0.1234), "12.3 %");
  EXPECT_EQ(count_text(0), "0");
  EXPECT_EQ(count_text(999), "999");
  EXPECT_EQ(count_text(1234567), "1,234,567");
}

TEST(units, nouns_agree_with_their_number) {
  EXPECT_EQ(counted(0, "core"), "0 cores");
  EXPECT_EQ(counted(1, "core"), "1 core");
  EXPECT_EQ(counted(2, "other loop"), "2 other loops");
}

TEST(units, words_for_a_shell) {
  EXPECT_EQ(shell_word("./app-1.2"), "./app-1.2");
  EXPECT_EQ(shell_word(""), "''");
  EXPECT_EQ(shell_word("a b"), "'a b'");
  EXPECT_EQ(shell_word("it's"), "'it'\\''s'");
}

}  // namespace
}  // namespace steelyard::tool
