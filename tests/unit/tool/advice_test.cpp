// SPDX-License-Identifier: Apache-2.0
#include "advice.hpp"

#include <gtest/gtest.h>

#include "made_up.hpp"

namespace steelyard::tool {
namespace {

advice given(const made_up::measurement& measured) { return advise(made_up::compared(measured)); }

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(advice, a_gain_beyond_the_noise) {
  const auto found = given({});
  EXPECT_EQ(found.schedule, "steal");
  EXPECT_TRUE(found.sentence.starts_with("Use `steal`: ")) << found.sentence;
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
  EXPECT_TRUE(found.sentence.starts_with("Keep it as written: ")) << found.sentence;
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
  small_part.rest = 9000;
  const auto found = given(small_part);
  EXPECT_EQ(found.schedule, "");
  EXPECT_TRUE(contains(found.sentence, "app+0x11a4")) << found.sentence;
  EXPECT_TRUE(found.loops.at(0).gains);
}

TEST(advice, two_rounds_tell_nothing) {
  made_up::measurement short_one;
  short_one.rounds = 2;
  const auto found = given(short_one);
  EXPECT_EQ(found.schedule, "");
  EXPECT_TRUE(contains(found.sentence, "--rounds")) << found.sentence;
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
  for (const double steal : {50.0, 100.0}) {
    made_up::measurement measured;
    measured.steal = steal;
    const auto sentence = given(measured).sentence;
    EXPECT_EQ(sentence.find('\n'), std::string::npos);
    EXPECT_EQ(sentence.find(". "), std::string::npos) << sentence;
    EXPECT_EQ(sentence.back(), '.');
  }
}

}  // namespace
}  // namespace steelyard::tool
