// SPDX-License-Identifier: Apache-2.0
#include "comparison.hpp"

#include <gtest/gtest.h>

#include "made_up.hpp"

namespace steelyard::tool {
namespace {

TEST(comparison, a_loop_and_its_limit) {
  const auto found = made_up::compared({});
  ASSERT_EQ(found.loops.size(), 1U);
  const auto& loop = found.loops[0].table;
  ASSERT_EQ(loop.rows.size(), 2U);
  EXPECT_EQ(loop.limit.value().value, 47);
  EXPECT_EQ(loop.limit.value().low, 45);
  EXPECT_EQ(loop.limit.value().high, 49);
  EXPECT_NEAR(loop.rows[0].imbalance, 0.25, 1e-12);
  EXPECT_NEAR(loop.rows[1].imbalance, 0, 1e-12);
  EXPECT_EQ(loop.rows[1].steals, 6);
  EXPECT_EQ(&loop.best(), &loop.rows[1]);
  EXPECT_EQ(loop.rows[1].regret, 0);
  EXPECT_NEAR(loop.rows[0].regret, 1, 0.1);
  EXPECT_NEAR(loop.rows[1].over_limit.value(), 52.0 / 47, 0.02);
  EXPECT_NEAR(loop.rows[1].ratio, 0.51, 0.02);
  EXPECT_LT(loop.rows[1].ratio_interval.high, 0.6);
  EXPECT_NEAR(found.loops[0].share, 102.0 / 112, 0.02);
}

TEST(comparison, the_programs_limit_keeps_the_rest) {
  const auto found = made_up::compared({});
  const auto& table = found.program;
  const double written_loop = found.loops[0].table.as_written().median;
  EXPECT_NEAR(table.limit.value().value, table.as_written().median - written_loop + 47, 1e-9);
}

TEST(comparison, a_limit_above_the_times_is_flagged) {
  made_up::measurement overestimated;
  overestimated.limit_low = 70;
  overestimated.limit_high = 80;
  const auto found = made_up::compared(overestimated);
  EXPECT_TRUE(found.loops[0].table.rows[1].limit_overestimated());
  EXPECT_FALSE(found.loops[0].table.rows[0].limit_overestimated());
}

TEST(comparison, processes_side_by_side_have_no_program_limit) {
  auto result = made_up::measurement{}.result();
  for (auto& run : result.samples) run.process_time = 2 * run.wall;
  const auto found = analyse(made_up::measurement::rows(), result);
  EXPECT_TRUE(found.concurrent);
  EXPECT_FALSE(found.program.limit);
  EXPECT_NEAR(found.loops[0].share, 102.0 / 224, 0.02);
}

TEST(comparison, a_schedule_that_did_not_take_the_loop_is_not_its_best) {
  made_up::measurement passed;
  passed.passed = "monotonic";
  const auto found = made_up::compared(passed);
  EXPECT_EQ(found.loops[0].table.rows[1].passed, "monotonic");
  EXPECT_EQ(found.loops[0].table.best_schedule(), nullptr);
  EXPECT_EQ(&found.loops[0].table.best(), &found.loops[0].table.rows[0]);
  EXPECT_FALSE(found.loops[0].table.limit);
}

TEST(comparison, a_round_that_did_not_meet_the_loop_does_not_count) {
  made_up::measurement alike;
  alike.steal = alike.written;
  auto result = alike.result();
  for (auto& run : result.samples) {
    if (run.row == 1 && run.round == 2) run.sites.clear();
  }
  const auto found = analyse(made_up::measurement::rows(), result);
  const auto& steal = found.loops[0].table.rows[1];
  EXPECT_EQ(steal.times[2], 0);
  EXPECT_GT(steal.spread.low, 90);
  EXPECT_NEAR(steal.ratio, 1, 0.01);
  EXPECT_GT(steal.ratio_interval.low, 0.9);
  EXPECT_GT(steal.chance, 0.1);
}

TEST(comparison, a_schedule_that_never_met_the_loop_is_not_its_best) {
  auto result = made_up::measurement{}.result();
  for (auto& run : result.samples) {
    if (run.row == 1) run.sites.clear();
  }
  const auto found = analyse(made_up::measurement::rows(), result);
  const auto& loop = found.loops[0].table;
  EXPECT_EQ(loop.rows[1].passed, "never reached");
  EXPECT_EQ(loop.best_schedule(), nullptr);
  EXPECT_EQ(loop.rows[0].regret, 0);
}

TEST(comparison, regions_without_loops_only) {
  auto result = made_up::measurement{}.result();
  result.regions[{"app", 0x20}] = {"/nonexistent/app", "", std::nullopt, 0, 56};
  result.regions[{"app", 0x30}] = {"/nonexistent/app", "", std::nullopt, 3, 56};
  const auto found = analyse(made_up::measurement::rows(), result);
  ASSERT_EQ(found.regions.size(), 1U);
  EXPECT_EQ(found.regions[0].key.offset, 0x20U);
  EXPECT_NEAR(found.regions[0].share, 0.5, 0.02);
}

}  // namespace
}  // namespace steelyard::tool
