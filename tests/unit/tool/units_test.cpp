// SPDX-License-Identifier: Apache-2.0
#include "units.hpp"

#include <gtest/gtest.h>

namespace steelyard::tool {
namespace {

TEST(units, times_have_four_digits) {
  EXPECT_EQ(time_text(0), "0.000 us");
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

TEST(units, words_for_a_shell) {
  EXPECT_EQ(shell_word("./app-1.2"), "./app-1.2");
  EXPECT_EQ(shell_word(""), "''");
  EXPECT_EQ(shell_word("a b"), "'a b'");
  EXPECT_EQ(shell_word("it's"), "'it'\\''s'");
}

}  // namespace
}  // namespace steelyard::tool
