// SPDX-License-Identifier: Apache-2.0
#include "measure/output_check.hpp"

#include "scratch.hpp"

namespace steelyard::tool {
namespace {

class outputs : public scratch {
 protected:
  /// The faults of a row's output, when the program printed `as_written` run by run.
  std::string fault(const std::vector<std::string>& as_written, const std::string& other) {
    output_check check;
    const auto reference = write("reference", as_written.front());
    for (const auto& one : as_written) check.learn(compare_outputs(reference, write("other", one)));
    check.add(3, compare_outputs(reference, write("other", other)));
    remark_ = check.remark();
    const auto found = check.faults();
    return found.empty() ? "" : found.at(3);
  }

  std::string remark_;
};

TEST_F(outputs, the_same_is_the_same) {
  EXPECT_EQ(fault({"a 1\nb 2\n", "a 1\nb 2\n"}, "a 1\nb 2\n"), "");
  EXPECT_EQ(fault({"", ""}, ""), "");
  EXPECT_EQ(fault({"a  1\n"}, " a 1 \n"), "");  // blanks
}

TEST_F(outputs, a_last_digit_counts_where_the_program_is_stable) {
  EXPECT_EQ(fault({"sum 1.23456789\n", "sum 1.23456789\n"}, "sum 1.23456788\n"),
            "line 1: `1.23456788` in place of `1.23456789`");
  EXPECT_EQ(fault({"x=-3\n"}, "x=+3\n"), "line 1: `+3` in place of `-3`");
  EXPECT_EQ(fault({"1e-9\n"}, "1e-8\n"), "line 1: `1e-8` in place of `1e-9`");
}

TEST_F(outputs, what_varies_as_written_is_not_compared) {
  const std::vector<std::string> timed = {"took 0.31s\nsum 7\n", "took 12.5s\nsum 7\n"};
  EXPECT_EQ(fault(timed, "took 0.2s\nsum 7\n"), "");
  EXPECT_EQ(fault(timed, "took 0.2s\nsum 8\n"), "line 2: `8` in place of `7`");
  EXPECT_EQ(fault(timed, "took nan s\nsum 7\n"), "line 1: `nan` in place of `0.31`");
  EXPECT_EQ(fault({"by 0x7ffe12ab\n", "by 0x55cc99ff\n"}, "by 0x1234\n"), "");
  EXPECT_EQ(fault({"a b c\n", "a b\n"}, "x\n"), "");
}

TEST_F(outputs, words_may_vary_as_words) {
  EXPECT_EQ(fault({"winner alice\n", "winner bob\n"}, "winner carol\n"), "");
  EXPECT_EQ(fault({"winner alice\n", "winner bob\n"}, "loser carol\n"), "line 1: `loser` in place of `winner`");
}

TEST_F(outputs, lines_that_are_missing_or_too_many) {
  EXPECT_EQ(fault({"a\nb\n"}, "a\n"), "line 2: one of the outputs ends before it");
  EXPECT_EQ(fault({"a\n"}, "a\nb\n"), "line 2: one of the outputs ends before it");
  EXPECT_EQ(fault({"a\n"}, ""), "line 1: one of the outputs ends before it");
  EXPECT_EQ(fault({"a b\n"}, "a\n"), "line 1: the end of the line in place of `b`");
}

TEST_F(outputs, a_length_that_varies_as_written_ends_the_comparison) {
  EXPECT_EQ(fault({"a\nb\nc\n", "a\nb\n"}, "a\nb\nc\nd\n"), "");
  EXPECT_EQ(remark_, "the program's output varies from run to run as written: only its first 2 lines were compared");
  EXPECT_EQ(fault({"a\nb\nc\n", "a\nb\n"}, "x\nb\n"), "line 1: `x` in place of `a`");
  EXPECT_EQ(fault({"a\n", ""}, "b\n"), "");
  EXPECT_EQ(remark_, "the program's output varies from run to run as written: it was not compared");
}

TEST_F(outputs, a_row_may_come_before_what_is_learnt) {
  output_check check;
  const auto reference = write("reference", "t 1\n");
  check.add(2, compare_outputs(reference, write("other", "t 2\n")));
  EXPECT_EQ(check.faults().size(), 1U);
  check.learn(compare_outputs(reference, write("other", "t 3\n")));
  EXPECT_TRUE(check.faults().empty());
}

TEST_F(outputs, large_ones_are_compared_to_their_end) {
  std::string many;
  for (int i = 0; i < 200000; ++i) many += std::to_string(i) + (i % 10 == 0 ? "\n" : " ");
  EXPECT_EQ(fault({many, many}, many + "x"), "line 20001: `x` in place of the end of the line");
  EXPECT_EQ(fault({many + "1", many + "1"}, many + "2"), "line 20001: `2` in place of `1`");
  const std::string no_blank(3000000, 'x');
  EXPECT_NE(fault({no_blank}, no_blank.substr(1) + "y"), "");
  auto binary = no_blank;
  binary[2000000] = '\0';
  EXPECT_NE(fault({no_blank}, binary), "");
}

TEST_F(outputs, memory_is_bounded_where_everything_differs) {
  std::string ones;
  std::string twos;
  for (int i = 0; i < 50000; ++i) {
    ones += "1\n";
    twos += "2\n";
  }
  const auto found = compare_outputs(write("a", ones), write("b", twos));
  EXPECT_TRUE(found.cut);
  EXPECT_EQ(found.differences.size(), 20000U);
  EXPECT_EQ(fault({ones, ones}, twos), "line 1: `2` in place of `1`");
  EXPECT_EQ(fault({ones, twos}, twos), "");
  EXPECT_EQ(remark_,
            "the program's output varies from run to run as written: only its first 19999 lines were compared");
}

}  // namespace
}  // namespace steelyard::tool
