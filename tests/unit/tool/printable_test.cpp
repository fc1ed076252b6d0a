// SPDX-License-Identifier: Apache-2.0
#include "text/printable.hpp"

#include <gtest/gtest.h>

namespace steelyard::tool {
namespace {

TEST(printable, text_stays) {
  EXPECT_EQ(printable(""), "");
  EXPECT_EQ(printable("a b\xC3\xBC \xE2\x82\xAC"), "a b\xC3\xBC \xE2\x82\xAC");
  EXPECT_EQ(printable(std::string(200, 'x')), std::string(200, 'x'));
}

TEST(printable, what_a_terminal_would_obey_does_not) {
  EXPECT_EQ(printable("a\x1b[31m\nb\r\x7f\tc"), "a?[31m?b?? c");
  EXPECT_EQ(printable(std::string_view("\0\x01", 2)), "??");
  EXPECT_EQ(printable("\xC2\x9b"
                      "31m\xC2\xA0"),
            "?31m\xC2\xA0");
}

TEST(printable, a_long_text_ends_between_characters) {
  EXPECT_EQ(printable(std::string(201, 'x')), std::string(200, 'x') + "...");
  EXPECT_EQ(printable("ab\xE2\x82\xAC", 4), "ab...");
  EXPECT_EQ(printable("ab\xE2\x82\xAC", 5), "ab\xE2\x82\xAC");
  EXPECT_EQ(printable(std::string(8, '\x80'), 4), "...");
}

}  // namespace
}  // namespace steelyard::tool
