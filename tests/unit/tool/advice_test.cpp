// SPDX-License-Identifier: Apache-2.0
#include "present/advice.hpp"

#include <gtest/gtest.h>

#include <utility>

#include "made_up.hpp"

namespace steelyard::tool {
namespace {

using made_up::steady;
using means = advice::means;

template <class Measured>
advice given(const Measured& measured) {
  return advise(made_up::compared(measured));
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(advice, a_gain_beyond_the_noise) {
  const auto found = given(made_up::measurement{});
  EXPECT_EQ(found.schedule, "steal");
  EXPECT_EQ(found.decided.text(), "gain 43 %, sure");
  EXPECT_TRUE(found.sentence.starts_with("Use `steal`: ")) << found.sentence;
  EXPECT_TRUE(contains(found.basis, "at least 43 % with 95 % confidence")) << found.basis;
  ASSERT_EQ(found.loops.size(), 1U);
  EXPECT_EQ(found.loops[0].site, "app+0x11a4");
  EXPECT_EQ(found.loops[0].schedule, "steal");
  EXPECT_TRUE(found.loops[0].gains);
}

TEST(advice, no_gain) {
  made_up::measurement same;
  same.steal = 100;
  const auto found = given(same);
  EXPECT_EQ(found.schedule, "");
  EXPECT_EQ(found.decided.text(), "none");
  EXPECT_EQ(found.sentence, "Keep it as written: no schedule was measured to gain 2 % or more.");
  EXPECT_FALSE(found.loops.at(0).gains);
}

TEST(advice, a_gain_within_the_noise) {
  made_up::measurement noisy;
  noisy.steal = 95;
  noisy.noise = 40;
  EXPECT_EQ(given(noisy).schedule, "");
}

TEST(advice, a_gain_too_small_to_matter) {
  made_up::measurement small;
  small.steal = 99;
  small.noise = 0;
  EXPECT_EQ(given(small).schedule, "");
}

TEST(advice, a_gain_of_one_loop_in_a_long_program) {
  made_up::measurement small_part;
  small_part.rest = 5000;
  const auto found = given(small_part);
  EXPECT_EQ(found.schedule, "");
  EXPECT_EQ(found.use, means::loops);
  EXPECT_TRUE(contains(found.sentence, "app+0x11a4")) << found.sentence;
  EXPECT_TRUE(contains(found.sentence, "`steal` takes 0.990 of the time")) << found.sentence;
  EXPECT_TRUE(found.loops.at(0).gains);
}

TEST(advice, what_gains_is_ranked_as_it_is_judged) {
  const auto found = given(made_up::ranked_apart());
  EXPECT_EQ(found.schedule, "steal");
  EXPECT_EQ(found.use, means::schedule);
  EXPECT_TRUE(contains(found.sentence, "Use `steal`: the program takes 0.760 ")) << found.sentence;
}

TEST(advice, the_best_of_those_that_are_certain) {
  const auto found = given(
      made_up::program{{"dynamic", "steal"}, {{steady(100), steady(83), std::vector<double>{76, 120, 70, 110, 50}}}});
  EXPECT_EQ(found.schedule, "dynamic");
  EXPECT_TRUE(
      contains(found.sentence,
               "; `steal` takes 0.760, but that is not certain after 5 rounds over 2 schedules: use --rounds 20."))
      << found.sentence;
}

TEST(advice, nothing_faster) {
  const auto found = given(made_up::program{{"dynamic", "steal"}, {{steady(100), steady(113), steady(120)}}});
  EXPECT_EQ(found.use, means::nothing);
  EXPECT_EQ(found.decided.text(), "none");
  EXPECT_EQ(found.loops.at(0).why_not, "not faster than as written");
}

TEST(advice, times_that_vary_show_no_absence_of_a_gain) {
  const auto found = given(made_up::program{{"steal"}, {{steady(100), std::vector<double>{60, 150, 105, 70, 140}}}});
  EXPECT_EQ(found.use, means::nothing);
  EXPECT_TRUE(found.decided.text().starts_with("not sure: the times vary: `steal` may take 0."))
      << found.decided.text();
}

TEST(advice, the_criterion_that_failed_and_the_row_are_named) {
  made_up::measurement small;
  small.steal = 99;
  small.noise = 0;
  small.rest = 0;
  EXPECT_EQ(given(small).decided.text(), "none");
  EXPECT_EQ(given(small).loops.at(0).why_not, "gain below 2 %");

  // Every round gains, yet they are too few for two schedules.
  const auto spread = given(
      made_up::program{{"dynamic", "steal"}, {{steady(100), steady(120), std::vector<double>{97, 99, 40, 96, 30}}}});
  EXPECT_EQ(spread.use, means::nothing);
  EXPECT_EQ(spread.decided.text(), "not sure: not certain after 5 rounds over 2 schedules; use --rounds 20");
  EXPECT_TRUE(contains(spread.sentence, "Nothing is advised: `steal` takes 0.9")) << spread.sentence;
  EXPECT_EQ(spread.loops.at(0).why_not, "not certain after 5 rounds over 2 schedules: use --rounds 20");
}

TEST(advice, more_rounds_than_there_were_and_may_be) {
  table_result table;
  table.rows.resize(8);
  auto& row = table.rows.back();
  row.ratio = 0.9;
  for (const auto& [rounds, advised] :
       {std::pair{5U, ": use --rounds 20"}, std::pair{30U, ": use --rounds 60"}, std::pair{1000U, ""}}) {
    row.times.assign(rounds, 1);
    row.believed.assign(rounds, 0.9);
    row.pairs = rounds;
    const auto expected = "not certain after " + std::to_string(rounds) + " rounds over 7 schedules" + advised;
    EXPECT_EQ(why_no_gain(row, table).text(), expected);
  }
}

TEST(advice, a_loop_that_is_nearly_the_program_has_its_schedule) {
  const auto found = given(made_up::program{
      {"wsri", "steal"}, {{steady(950), steady(800), steady(750)}, {steady(50), steady(50), steady(150)}}});
  EXPECT_EQ(found.schedule, "wsri");
  EXPECT_EQ(found.loops.at(0).schedule, "wsri");
  EXPECT_TRUE(found.loops.at(0).gains);
  EXPECT_EQ(found.use, means::schedule);
}

TEST(advice, loops_that_differ_are_to_have_their_own) {
  const auto found = given(made_up::loops_apart());
  EXPECT_EQ(found.schedule, "wsri");
  EXPECT_EQ(found.loops.at(0).schedule, "steal");
  EXPECT_EQ(found.loops.at(1).schedule, "wsri");
  EXPECT_EQ(found.use, means::loops);
  EXPECT_TRUE(found.sentence.starts_with("Use the lines below: ")) << found.sentence;
  EXPECT_TRUE(contains(found.sentence, "`wsri` for all of them takes 0.700 ")) << found.sentence;
}

TEST(advice, a_loop_that_loses_is_left_as_written) {
  const auto found = given(made_up::program{{"wsri"}, {{steady(600), steady(300)}, {steady(400), steady(500)}}});
  EXPECT_EQ(found.schedule, "wsri");
  EXPECT_FALSE(found.loops.at(1).gains);
  EXPECT_EQ(found.use, means::loops);
}

TEST(advice, loops_alike_need_one_schedule) {
  const auto found = given(made_up::program{{"wsri"}, {{steady(600), steady(300)}, {steady(400), steady(300)}}});
  EXPECT_EQ(found.use, means::schedule);
}

TEST(advice, two_rounds_tell_nothing) {
  made_up::measurement short_one;
  short_one.rounds = 2;
  const auto found = given(short_one);
  EXPECT_EQ(found.schedule, "");
  EXPECT_EQ(found.decided.text(), "not sure: 2 rounds cannot tell a gain from noise; use --rounds 5 or more");
}

TEST(advice, an_overestimated_limit_changes_nothing) {
  made_up::measurement same;
  same.steal = 100;
  same.limit_low = same.limit_high = 200;
  EXPECT_EQ(given(same).schedule, "");
}

TEST(advice, a_loop_that_cannot_be_taken_gets_no_line) {
  made_up::measurement passed;
  passed.passed = "ordered";
  EXPECT_TRUE(given(passed).loops.empty());
}

TEST(advice, one_sentence) {
  made_up::measurement same;
  same.steal = 100;
  made_up::measurement small_part;
  small_part.rest = 5000;
  for (const auto& sentence : {given(made_up::measurement{}).sentence, given(same).sentence, given(small_part).sentence,
                               given(made_up::loops_apart()).sentence}) {
    EXPECT_EQ(sentence.find('\n'), std::string::npos);
    EXPECT_EQ(sentence.find(". "), std::string::npos) << sentence;
    EXPECT_EQ(sentence.back(), '.');
  }
}

}  // namespace
}  // namespace steelyard::tool
