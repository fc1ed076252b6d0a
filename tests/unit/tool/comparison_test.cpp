// SPDX-License-Identifier: Apache-2.0
#include "measure/comparison.hpp"

#include <gtest/gtest.h>

#include "made_up.hpp"

namespace steelyard::tool {
namespace {

TEST(comparison, a_loop_and_its_limit) {
  const auto found = made_up::compared(made_up::measurement{});
  ASSERT_EQ(found.loops.size(), 1U);
  const auto& loop = found.loops[0].table;
  ASSERT_EQ(loop.rows.size(), 2U);
  EXPECT_EQ(loop.limit.value().value, 47e3);
  EXPECT_EQ(loop.limit.value().low, 45e3);
  EXPECT_EQ(loop.limit.value().high, 49e3);
  EXPECT_NEAR(loop.rows[0].imbalance, 0.25, 1e-12);
  EXPECT_NEAR(loop.rows[1].imbalance, 0, 1e-12);
  EXPECT_EQ(loop.rows[1].steals, 6);
  EXPECT_EQ(&loop.fastest(), &loop.rows[1]);
  EXPECT_EQ(loop.rows[1].pairs, 5U);
  EXPECT_EQ(loop.rows[1].regret, 0);
  EXPECT_NEAR(loop.rows[0].regret, 1, 0.1);
  EXPECT_NEAR(loop.rows[1].over_limit.value(), 52.0 / 47, 0.02);
  EXPECT_NEAR(loop.rows[1].ratio, 0.51, 0.02);
  EXPECT_LT(loop.rows[1].ratio_interval.value().high, 0.6);
  EXPECT_NEAR(found.loops[0].share, 102.0 / 112, 0.02);
}

TEST(comparison, the_programs_limit_keeps_the_rest) {
  const auto found = made_up::compared(made_up::measurement{});
  const auto& table = found.program;
  const double written_loop = found.loops[0].table.as_written().median;
  EXPECT_NEAR(table.limit.value().value, table.as_written().median - written_loop + 47e3, 1e-6);
}

TEST(comparison, a_limit_above_a_row_is_withdrawn) {
  made_up::measurement overestimated;
  overestimated.limit_low = 70;
  overestimated.limit_high = 80;
  const auto found = made_up::compared(overestimated);
  const auto& table = found.loops[0].table;
  EXPECT_TRUE(table.rows[1].limit_overestimated);
  EXPECT_FALSE(table.rows[0].limit_overestimated);
  EXPECT_FALSE(table.limit);
  EXPECT_FALSE(table.rows[0].over_limit);
  EXPECT_EQ(table.limit_missing, "withdrawn, `steal` was faster than it");
  EXPECT_FALSE(found.program.limit);
  EXPECT_EQ(found.program.limit_missing, "a loop's was withdrawn");
}

TEST(comparison, the_limit_is_that_of_the_run_with_the_least_and_its_doubt_holds_all_runs) {
  made_up::measurement measured;
  auto result = measured.result();
  for (const double noise : {30.0, -2.0, 10.0}) {
    auto noisy = measured;
    noisy.limit_low += noise;
    noisy.limit_high += noise + 1;
    noisy.add(result, 2, 1, noisy.written);
  }
  const auto found = analyse(made_up::measurement::rows(), result);
  const auto limit = found.loops[0].table.limit.value();
  EXPECT_EQ(limit.low, 43e3);
  EXPECT_EQ(limit.value, 45.5e3);
  EXPECT_EQ(limit.high, 80e3);
  EXPECT_EQ(limit.runs, 5U);
  EXPECT_NEAR(limit.uncertainty(), 80 / 45.5 - 1, 1e-9);
}

TEST(comparison, the_programs_limit_is_no_surer_than_its_rest) {
  made_up::program measured{{"steal"},
                            {{made_up::steady(100), made_up::steady(60)}},
                            {std::vector<double>{50, 60, 70, 55, 65}, std::vector<double>{50, 60, 70, 55, 65}}};
  auto rows = measured.rows();
  rows.push_back({row::kind::limit, ""});
  auto result = measured.result();
  made_up::measurement limits;
  limits.limit_low = limits.limit_high = 50;
  for (unsigned round = 0; round < 2; ++round) {
    limits.add(result, 2, round, 50);
    result.samples.back().sites = {{made_up::program::site(0), result.samples.back().sites[made_up::loop_site]}};
  }
  const auto found = analyse(rows, result);
  const auto limit = found.program.limit.value();
  EXPECT_NEAR(limit.value, 110e3, 1e3);
  EXPECT_LT(limit.low, 101e3);
  EXPECT_GT(limit.high, 119e3);
}

TEST(comparison, a_loop_without_work_has_no_limit) {
  made_up::measurement empty;
  empty.limit_low = empty.limit_high = 0.5;
  const auto found = made_up::compared(empty);
  EXPECT_FALSE(found.loops[0].table.limit);
  EXPECT_FALSE(found.loops[0].table.rows[1].over_limit);
}

TEST(comparison, more_threads_than_cores_have_no_limit) {
  const auto result = made_up::measurement{}.result();
  const auto found = analyse(made_up::measurement::rows(), result, 1);
  EXPECT_EQ(found.loops[0].threads, 2U);
  EXPECT_FALSE(found.loops[0].table.limit);
  EXPECT_FALSE(found.program.limit);
  EXPECT_EQ(found.program.limit_missing, "more threads than cores");
  EXPECT_TRUE(analyse(made_up::measurement::rows(), result, 2).program.limit);
}

TEST(comparison, gains_are_ranked_by_pairs_and_regret_by_medians) {
  const auto table = made_up::compared(made_up::ranked_apart()).program;
  EXPECT_EQ(table.best_schedule(), &table.rows[2]);
  EXPECT_EQ(&table.fastest(), &table.rows[1]);
  EXPECT_EQ(table.rows[1].regret, 0);
  EXPECT_NEAR(table.rows[2].regret, 2.0 / 150, 1e-9);
}

TEST(comparison, processes_side_by_side_have_no_limit) {
  auto result = made_up::measurement{}.result();
  for (auto& run : result.samples) {
    run.process_time = 2 * run.wall;
    run.sites[made_up::loop_site].processes = 2;
  }
  const auto found = analyse(made_up::measurement::rows(), result);
  EXPECT_TRUE(found.concurrent);
  EXPECT_FALSE(found.program.limit);
  EXPECT_FALSE(found.loops[0].table.limit);
  EXPECT_EQ(found.loops[0].processes, 2U);
  EXPECT_NEAR(found.loops[0].share, 102.0 / 224, 0.02);
}

TEST(comparison, a_schedule_that_did_not_take_the_loop_is_not_its_best) {
  made_up::measurement passed;
  passed.passed = "monotonic";
  const auto found = made_up::compared(passed);
  EXPECT_EQ(found.loops[0].table.rows[1].passed, "monotonic");
  EXPECT_EQ(found.loops[0].table.best_schedule(), nullptr);
  EXPECT_EQ(&found.loops[0].table.fastest(), &found.loops[0].table.rows[0]);
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
  EXPECT_EQ(steal.pairs, 4U);
  EXPECT_GT(steal.spread.low, 90e3);
  EXPECT_NEAR(steal.ratio, 1, 0.01);
  EXPECT_GT(steal.ratio_interval.value().low, 0.9);
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

TEST(comparison, a_region_and_its_balance) {
  made_up::measurement measured;
  measured.rest = 200;
  auto result = measured.result();
  made_up::add_region(result, {"app", 0x20}, {"/nonexistent/app", "gomp", "", std::nullopt}, 60, 0, 15);
  made_up::add_region(result, {"app", 0x30}, {"/nonexistent/app", "gomp", "", std::nullopt}, 90, 3, 0);
  const auto found = analyse(made_up::measurement::rows(), result);
  ASSERT_EQ(found.regions.size(), 2U);
  EXPECT_EQ(found.regions[0].key.offset, 0x30U);
  EXPECT_EQ(found.regions[0].loops, 3U);
  EXPECT_EQ(found.regions[0].balance.avoidable, 0);
  EXPECT_NEAR(found.regions[1].share, 60.0 / 302, 0.005);
  EXPECT_NEAR(found.regions[1].balance.imbalance, 0.25, 1e-12);
  EXPECT_NEAR(found.regions[1].balance.avoidable, 15.0 / 302, 0.002);
}

double sum_of_shares(const comparison& found) {
  double sum = 0;
  for (const auto& loop : found.loops) sum += loop.share;
  for (const auto& region : found.regions) sum += region.share;
  return sum;
}

TEST(comparison, shares_never_add_up_to_more_than_all) {
  for (const double threads : {1.0, 3.0}) {  // that fork teams side by side
    auto result = made_up::measurement{}.result();
    made_up::add_region(result, {"app", 0x20}, {"/nonexistent/app", "gomp", "", std::nullopt}, 5 * threads);
    made_up::add_region(result, {"app", 0x30}, {"/nonexistent/app", "gomp", "", std::nullopt}, 50 * threads);
    result.samples[1].wall *= 7;  // a round that something else slowed down
    const auto found = analyse(made_up::measurement::rows(), result);
    EXPECT_GT(sum_of_shares(found), 0.8);
    EXPECT_LE(sum_of_shares(found), 1 + 1e-9);
  }
}

TEST(comparison, a_loops_own_region_is_not_listed_beside_it) {
  for (const char* passed : {"", "static"}) {
    made_up::measurement measured;
    measured.passed = passed;
    auto result = measured.result();
    result.sites[made_up::loop_site].ident = ";app.c;main;7;1;;";
    result.sites[made_up::loop_site].body = 0x40;
    made_up::add_region(result, {"app", 0x20}, {"/nonexistent/app", "kmp", ";app.c;main;7;1;;", std::nullopt}, 1);
    made_up::add_region(result, {"app", 0x30}, {"/nonexistent/app", "kmp", ";app.c;main;9;1;;", std::nullopt}, 1);
    made_up::add_region(result, {"app", 0x40}, {"/nonexistent/app", "gomp", "", 0x40}, 1);
    made_up::add_region(result, made_up::loop_site, {"/nonexistent/app", "gomp", "", std::nullopt}, 1);
    auto found = analyse(made_up::measurement::rows(), result);
    const double share = found.loops[0].share;
    symbolise(found, source_loops({}));
    ASSERT_EQ(found.regions.size(), 1U) << passed;
    EXPECT_EQ(found.regions[0].place.line, 9U);
    EXPECT_EQ(found.loops[0].share, share);  // it was timed
    const bool is_static = !found.loops[0].facts.taken && *passed != 0;
    ASSERT_EQ(found.loops[0].balance.has_value(), is_static) << "its own, not the region's";
    if (!is_static) continue;
    EXPECT_EQ(found.loops[0].balance->imbalance, found.loops[0].table.as_written().imbalance);
    EXPECT_EQ(found.loops[0].balance->avoidable, share * found.loops[0].balance->imbalance);
  }
}

TEST(comparison, a_loop_that_is_not_timed_has_what_its_region_has) {
  made_up::measurement measured;
  measured.passed = "static";
  auto result = measured.result();
  result.sites[made_up::loop_site].ident = ";app.c;main;7;1;;";
  for (auto& run : result.samples) run.sites[made_up::loop_site] = {};
  made_up::add_region(result, {"app", 0x20}, {"/nonexistent/app", "kmp", ";app.c;main;7;1;;", std::nullopt}, 50, 0, 10);
  auto found = analyse(made_up::measurement::rows(), result);
  symbolise(found, source_loops({}));
  EXPECT_TRUE(found.regions.empty());
  EXPECT_NEAR(found.loops[0].share, 50.0 / 112, 0.01);
  ASSERT_TRUE(found.loops[0].balance);
  EXPECT_NEAR(found.loops[0].balance->imbalance, 0.2, 1e-12);
  EXPECT_NEAR(found.loops[0].balance->avoidable, 10.0 / 112, 0.002);
}

}  // namespace
}  // namespace steelyard::tool
