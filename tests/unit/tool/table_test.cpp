// SPDX-License-Identifier: Apache-2.0
#include "text/table.hpp"

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
  table shown({{"–", table::left}, {"n"}});
  shown.add({"ab", "1"});
  EXPECT_EQ(shown.text(), "–   n\nab  1\n");
}

TEST(table, a_page_that_is_too_narrow) {
  table shown({{"name", table::left, 0, true},
               {"a", table::right, 2},
               {"b", table::right, 1},
               {"c"},
               {"why", table::left, 0, false, true}});
  shown.add({std::string(40, 'n'), std::string(10, '1'), std::string(10, '2'), "3", "because of this"});
  const std::string name(40, 'n');
  EXPECT_EQ(shown.text("", {0, false}), shown.text("", {88, false}));
  const auto below = [](const std::string& head, const std::string& row) {
    return head + "\n" + row + "\n    because of this\n";
  };
  EXPECT_EQ(shown.text("", {70, false}),
            below("name" + std::string(47, ' ') + "a           b  c", name + "  1111111111  2222222222  3"));
  const auto thirty = std::string(18, 'n') + "..." + std::string(9, 'n');
  EXPECT_EQ(shown.text("", {57, false}),
            below("name" + std::string(37, ' ') + "a           b  c", thirty + "  1111111111  2222222222  3"));
  EXPECT_EQ(shown.text("", {50, false}), below("name" + std::string(37, ' ') + "a  c", thirty + "  1111111111  3"));
  EXPECT_EQ(shown.text("", {33, false}), below("name" + std::string(28, ' ') + "c", thirty + "  3"));
  EXPECT_EQ(shown.text("", {23, false}).find('\n'), 23U);
}

TEST(table, what_stands_out_is_in_colour_where_there_is_one) {
  table shown({{"n", table::left}});
  shown.add({"a"});
  shown.add({"b"}, true);
  EXPECT_EQ(shown.text("", {0, true}), "n\na\n\033[1;32mb\033[0m\n");
  EXPECT_EQ(shown.text("", {0, false}), "n\na\nb\n");
}

}  // namespace
}  // namespace steelyard::tool
