// SPDX-License-Identifier: Apache-2.0
#include "schedules/loops_line.hpp"

#include <gtest/gtest.h>

#include "loops_lines.hpp"

namespace steelyard::schedules {
namespace {

std::string text_of(const choice& chosen) {
  if (chosen.schedule == nullptr) return "none";
  return chosen.schedule->about.name + (chosen.chunk != 0 ? "," + std::to_string(chosen.chunk) : "");
}

TEST(loops_line, each_kind) {
  for (const auto& wanted : loops_line_cases()) {
    const auto found = parse_loops_line(wanted.text);
    if (wanted.place.empty() && wanted.schedule != "nothing") {
      EXPECT_NE(found.error, line_error::none) << wanted.text;
      EXPECT_TRUE(std::string(explain(found)).starts_with(wanted.schedule)) << wanted.text << ": " << explain(found);
      EXPECT_NE(wanted.text.find(found.wrong), std::string::npos);
      EXPECT_FALSE(found.wrong.empty());
      continue;
    }
    EXPECT_EQ(found.error, line_error::none) << wanted.text << ": " << explain(found);
    EXPECT_EQ(found.value.place, wanted.place) << wanted.text;
    if (wanted.place.empty()) continue;
    EXPECT_EQ(found.value.offset, wanted.offset) << wanted.text;
    EXPECT_EQ(found.value.line, wanted.line) << wanted.text;
    EXPECT_EQ(found.value.may_be_absent, wanted.may_be_absent) << wanted.text;
    EXPECT_EQ(text_of(found.value.chosen), wanted.schedule) << wanted.text;
  }
}

TEST(loops_line, says_which_words_are_meant) {
  EXPECT_EQ(parse_loops_line("a b+0x1 fastest,3 # x").wrong, "fastest,3");
  EXPECT_EQ(parse_loops_line(" a/b+0x1  steal").wrong, "a/b+0x1");
  EXPECT_EQ(parse_loops_line("a.c:1 steal twice ").wrong, "a.c:1 steal twice");
  EXPECT_EQ(parse_loops_line("  lonely #").wrong, "lonely");
}

TEST(loops_line, a_byte_order_mark_is_no_part_of_the_text) {
  EXPECT_EQ(without_mark("\xEF\xBB\xBF"
                         "app"),
            "app");
  EXPECT_EQ(without_mark("app"), "app");
  EXPECT_EQ(without_mark("\xEF\xBB"), "\xEF\xBB");
  EXPECT_EQ(without_mark(""), "");
}

}  // namespace
}  // namespace steelyard::schedules
