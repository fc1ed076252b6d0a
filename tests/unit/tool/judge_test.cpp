// SPDX-License-Identifier: Apache-2.0
#include "measure/judge.hpp"

#include <gtest/gtest.h>

#include "made_up.hpp"
#include "present/advice.hpp"

namespace steelyard::tool {
namespace {

using made_up::steady;

/// A loop of 25 % of the program that saves nothing, while the rest took 35 % of the program less.
made_up::program lucky_rest() { return {{"steal"}, {{steady(250), steady(249)}}, {steady(750), steady(400)}}; }

TEST(judge, a_program_gains_no_more_than_its_loops) {
  const auto found = made_up::compared(lucky_rest());
  const auto& row = found.program.rows[1];
  EXPECT_NEAR(row.ratio, 0.65, 0.01);
  EXPECT_NEAR(row.explained, 0.999, 0.001);
  EXPECT_TRUE(row.rest_varied);
  EXPECT_FALSE(surely_gains(row));
  const auto given = advise(found);
  EXPECT_EQ(given.decided.what, verdict::kind::not_sure);
  EXPECT_EQ(given.decided.reason, "the rest of the program varied, its loops account for 0.999");
}

TEST(judge, of_a_larger_gain_that_of_the_loops_is_promised) {
  const auto found =
      made_up::compared(made_up::program{{"steal"}, {{steady(250), steady(150)}}, {steady(750), steady(500)}});
  const auto& row = found.program.rows[1];
  EXPECT_TRUE(row.rest_varied);
  EXPECT_NEAR(row.ratio, 0.65, 0.01);
  EXPECT_NEAR(row.promised, 0.1, 0.01);
  const auto given = advise(found);
  EXPECT_EQ(given.decided.text(), "gain 10 %, sure");
  EXPECT_NE(given.sentence.find("its loops account for 0.900 only, the rest of the program varied"), std::string::npos)
      << given.sentence;
}

TEST(judge, a_rest_that_does_not_vary_is_not_marked) {
  const auto found =
      made_up::compared(made_up::program{{"steal"}, {{steady(250), steady(150)}}, {steady(750), steady(751)}});
  EXPECT_FALSE(found.program.rows[1].rest_varied);
}

TEST(judge, a_loop_that_was_not_taken_accounts_for_nothing) {
  made_up::measurement passed;
  passed.passed = "monotonic";
  const auto found = made_up::compared(passed);
  EXPECT_EQ(found.program.rows[1].explained, 1);
  EXPECT_FALSE(surely_gains(found.program.rows[1]));
}

TEST(judge, a_faulty_row_is_never_advised) {
  const made_up::measurement measured;
  auto result = measured.result();
  result.faults[1] = {output_differs, "line 1"};
  const auto found = analyse(made_up::measurement::rows(), result);
  EXPECT_EQ(found.program.best_schedule(), nullptr);
  EXPECT_EQ(found.loops[0].table.best_schedule(), nullptr);
  EXPECT_EQ(&found.program.fastest(), &found.program.rows[0]);
  const auto given = advise(found);
  EXPECT_EQ(given.decided.what, verdict::kind::not_sure);
  EXPECT_TRUE(given.loops.empty());
  EXPECT_EQ(given.use, advice::means::nothing);
}

TEST(judge, a_row_that_failed_half_way_counts_for_nothing) {
  const made_up::measurement measured;
  auto result = measured.result();
  std::erase_if(result.samples, [](const auto& run) { return run.row == 1 && run.round > 1; });
  result.faults[1] = {"failed", "it exited with status 3 in round 3"};
  const auto found = analyse(made_up::measurement::rows(), result);
  EXPECT_EQ(found.program.rows[1].pairs, 2U);
  EXPECT_EQ(advise(found).use, advice::means::nothing);
}

TEST(judge, a_busy_machine_decides_nothing) {
  const made_up::measurement measured;
  for (const unsigned busy : {1U, 2U}) {
    auto result = measured.result();
    for (auto& run : result.samples) {
      if (run.row == 0 && run.round < busy) run.lost.others = 0.34;
    }
    const auto found = analyse(made_up::measurement::rows(), result);
    EXPECT_EQ(found.program.rows[1].disturbed, busy);
    const auto given = advise(found);
    EXPECT_EQ(given.decided.what, busy == 1 ? verdict::kind::gain : verdict::kind::not_sure);
    if (busy == 2) {
      EXPECT_EQ(given.decided.text(),
                "not sure: the machine was busy in 2 of 5 rounds, which lost up to 34 % of their time; measure on an "
                "idle machine");
    }
  }
}

TEST(judge, a_budget_ends_where_no_gain_is_possible) {
  EXPECT_TRUE(surely_none(made_up::compared(made_up::program{{"steal"}, {{steady(100), steady(101)}}})));
  EXPECT_FALSE(surely_none(made_up::compared(made_up::measurement{})));
  const std::vector<double> wide = {80, 125, 90, 120, 100};
  EXPECT_FALSE(surely_none(made_up::compared(made_up::program{{"steal"}, {{steady(100), wide}}})));
}

}  // namespace
}  // namespace steelyard::tool
