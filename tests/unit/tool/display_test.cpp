// SPDX-License-Identifier: Apache-2.0
#include "text/display.hpp"

#include <gtest/gtest.h>

#include <sstream>

namespace steelyard::tool {
namespace {

void expect_fits(const std::string& text, std::size_t width) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(displayed_width(line), width) << line;
}

TEST(display, width_is_in_columns) {
  EXPECT_EQ(displayed_width(""), 0U);
  EXPECT_EQ(displayed_width("a\u2013b"), 3U);
  EXPECT_EQ(displayed_width("\u6F22\u5B57"), 4U);
  EXPECT_EQ(displayed_width("e\u0301"), 1U);
  EXPECT_EQ(displayed_width("\U0001F600"), 2U);
  EXPECT_EQ(displayed_width("\033[1;32mab\033[0m"), 2U);
  EXPECT_EQ(displayed_width("\xE6"), 1U);
}

TEST(display, names_lose_their_middle) {
  EXPECT_EQ(elided("short", 5), "short");
  EXPECT_EQ(elided("size.cpp:12 (apply<double>)", 17), "size.cpp:1...le>)");
  EXPECT_EQ(elided("abcdef", 3), "abc");
  EXPECT_EQ(elided("\u6F22\u6F22\u6F22\u6F22\u6F22", 9), "\u6F22\u6F22...\u6F22");
  for (std::size_t width = 1; width < 40; ++width)
    expect_fits(elided("\u6F22a\u00FC\u6F22bcdefghij\u6F22\u6F22", width), width);
}

TEST(display, lines_break_at_blanks) {
  EXPECT_EQ(wrapped("one two three\nfour\n", 9), "one two\n  three\nfour\n");
  EXPECT_EQ(wrapped("  one two three", 9), "  one two\n    three");
  EXPECT_EQ(wrapped("one two three\n", 0), "one two three\n");
  EXPECT_EQ(wrapped("abcdefghijkl mn", 6), "abcdef\n  ghij\n  kl\n  mn");
  const std::string text =
      "The loop at a/very/long/path.cpp:12 (run<std::vector<int, std::allocator<int> > >), 5 % of it";
  for (std::size_t width = 4; width < 100; ++width) expect_fits(wrapped(text, width), width);
}

TEST(display, commands_stay_one_command) {
  const std::vector<std::string> words = {"steelyard", "run", "--schedule", "steal", "--", "./app", "'a b'"};
  EXPECT_EQ(wrapped_command(words, "  ", 0), "  steelyard run --schedule steal -- ./app 'a b'");
  EXPECT_EQ(wrapped_command(words, "  ", 80), "  steelyard run --schedule steal -- ./app 'a b'");
  EXPECT_EQ(wrapped_command(words, "  ", 30), "  steelyard run --schedule \\\n      steal -- ./app 'a b'");
  expect_fits(wrapped_command({"run", std::string(200, 'x'), "end"}, "  ", 30), 30);
}

}  // namespace
}  // namespace steelyard::tool
