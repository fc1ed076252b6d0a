// SPDX-License-Identifier: Apache-2.0
#include "table.hpp"

#include <gtest/gtest.h>

namespace steelyard::tool {
namespace {

TEST(table, columns_are_as_wide_as_their_widest_cell) {
  table shown({{"name", table::left}, {"n"}, {"note", table::left}});
  shown.add({"a", "10", "x"});
  shown.add({"longer", "9"});
  EXPECT_EQ(shown.text(), "name     n  note\na       10  x\nlonger   9\n");
  EXPECT_EQ(shown.text("> "), "> name     n  note\n> a       10  x\n> longer   9\n");
}

TEST(table, width_counts_characters) {
  EXPECT_EQ(displayed_width("a–b"), 3U);
  table shown({{"–", table::left}, {"n"}});
  shown.add({"ab", "1"});
  EXPECT_EQ(shown.text(), "–   n\nab  1\n");
}

}  // namespace
}  // namespace steelyard::tool
