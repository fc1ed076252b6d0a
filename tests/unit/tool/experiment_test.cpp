// SPDX-License-Identifier: Apache-2.0
#include "measure/experiment.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <set>

namespace steelyard::tool {
namespace {

const std::vector<row> rows = {{row::kind::as_written, ""},
                               {row::kind::schedule, "static"},
                               {row::kind::schedule, "steal"},
                               {row::kind::limit, ""}};

TEST(order_of_runs, every_row_once_a_round_and_three_limits) {
  const auto runs = order_of_runs(rows, 7);
  std::map<std::size_t, std::set<unsigned>> rounds;
  for (const auto& run : runs) EXPECT_TRUE(rounds[run.row].insert(run.round).second);
  for (std::size_t row = 0; row < 3; ++row) EXPECT_EQ(rounds[row].size(), 7U);
  EXPECT_EQ(rounds[3], (std::set<unsigned>{0, 3, 6}));
}

TEST(order_of_runs, rounds_follow_each_other_in_changing_order) {
  const auto runs = order_of_runs(rows, 20);
  std::set<std::size_t> firsts;
  for (std::size_t i = 1; i < runs.size(); ++i) {
    EXPECT_GE(runs[i].round, runs[i - 1].round);
    if (runs[i].round != runs[i - 1].round) firsts.insert(runs[i].row);
  }
  EXPECT_GE(firsts.size(), 3U);
  EXPECT_EQ(runs, order_of_runs(rows, 20));
}

TEST(order_of_runs, few_rounds_measure_the_limit_in_each) {
  EXPECT_EQ(order_of_runs(rows, 1).size(), 4U);
  EXPECT_EQ(order_of_runs(rows, 2).size(), 8U);
}

TEST(order_of_runs, an_open_end_measures_the_limit_first) {
  run_order open_ended(rows, 0);
  for (const std::size_t runs : {4U, 4U, 4U, 3U, 3U}) EXPECT_EQ(open_ended.next().size(), runs);
}

TEST(variables_to_drop, those_that_choose_a_schedule_of_ours) {
  for (const char* name : {"STEELYARD_SCHEDULE", "STEELYARD_LOOPS", "OMP_SCHEDULE"}) unsetenv(name);
  EXPECT_TRUE(variables_to_drop().empty());
  setenv("OMP_SCHEDULE", "guided,4", 1);
  setenv("STEELYARD_LOOPS", "", 1);
  EXPECT_TRUE(variables_to_drop().empty());
  setenv("OMP_SCHEDULE", "steal", 1);
  setenv("STEELYARD_LOOPS", "file", 1);
  const std::map<std::string, std::string> both = {{"OMP_SCHEDULE", "steal"}, {"STEELYARD_LOOPS", "file"}};
  EXPECT_EQ(variables_to_drop(), both);
  unsetenv("OMP_SCHEDULE");
  unsetenv("STEELYARD_LOOPS");
}

process_report a_report(const std::string& module, double wall, const std::string& decision) {
  process_report report;
  report.threads = 2;
  report.process_time = 100;
  site_report site;
  site.key = {module, 0x10};
  site.module_path = "/p/" + module;
  site.decision = decision;
  site.reason = decision == "passed" ? "monotonic" : "";
  site.times.processes = 1;
  site.times.wall = wall;
  report.sites.push_back(site);
  region_report region;
  region.key = {module, 0x20};
  region.times.wall = 7;
  report.regions.push_back(region);
  return report;
}

TEST(merge_reports, processes_of_a_run_are_summed) {
  experiment_result result;
  sample run;
  merge_reports({a_report("app", 3, "observed"), a_report("app", 4, "observed"), a_report("lib", 5, "observed")},
                row::kind::as_written, run, result);
  EXPECT_EQ(run.processes, 3U);
  EXPECT_EQ(run.process_time, 300);
  EXPECT_EQ((run.sites.at({"app", 0x10}).wall), 7);
  EXPECT_EQ((run.sites.at({"lib", 0x10}).wall), 5);
  EXPECT_EQ((run.sites.at({"app", 0x10}).processes), 2U);
  EXPECT_EQ((run.regions.at({"app", 0x20}).wall), 14);
  EXPECT_TRUE((result.sites.at({"app", 0x10}).observed));
  EXPECT_FALSE((result.sites.at({"app", 0x10}).taken));
}

TEST(merge_reports, a_chunk_that_was_kept_in_some_run_is_known) {
  experiment_result result;
  sample run;
  auto kept = a_report("app", 1, "taken");
  kept.sites.front().granule = 64;
  merge_reports({kept}, row::kind::schedule, run, result);
  merge_reports({a_report("app", 1, "observed")}, row::kind::as_written, run, result);
  EXPECT_EQ((result.sites.at({"app", 0x10}).granule), 64U);
}

TEST(merge_reports, calls_of_one_region_are_one) {
  auto first = a_report("app", 3, "passed");
  first.regions[0].body = 0x40;
  auto second = first;
  second.regions[0].key.offset = 0x30;
  experiment_result result;
  sample run;
  merge_reports({first, second}, row::kind::as_written, run, result);
  ASSERT_EQ(result.regions.size(), 1U);
  EXPECT_EQ((run.regions.at({"app", 0x40}).wall), 14);
  const auto& facts = result.sites.at({"app", 0x10});
  EXPECT_FALSE(facts.observed);
  EXPECT_EQ(facts.reason, "monotonic");
}

TEST(merge_reports, why_nustatic_passes_a_static_loop_says_more_than_that_it_is_static) {
  for (const char* abi : {"kmp", "compiled", "gomp"}) {
    experiment_result result;
    sample run;
    const auto passed = [abi](const char* reason) {
      auto report = a_report("app", 1, "passed");
      report.sites[0].abi = abi;
      report.sites[0].reason = reason;
      return report;
    };
    for (const char* reason : {"static", "a reduction, whose grouping would change", "static"}) {
      merge_reports({passed(reason)}, row::kind::schedule, run, result);
    }
    const auto& facts = result.sites.begin()->second;
    EXPECT_EQ(facts.reason, "a reduction, whose grouping would change");
    EXPECT_EQ(facts.asks_for_block, std::string(abi) != "gomp");
  }
}

TEST(merge_reports, one_schedule_that_takes_a_loop_is_enough) {
  experiment_result result;
  sample run;
  merge_reports({a_report("app", 1, "taken")}, row::kind::schedule, run, result);
  merge_reports({a_report("app", 1, "passed")}, row::kind::schedule, run, result);
  const auto& facts = result.sites.at({"app", 0x10});
  EXPECT_TRUE(facts.taken);
  EXPECT_EQ(facts.reason, "monotonic");
  EXPECT_TRUE(result.regions.empty());  // counted in the runs as written only
}

}  // namespace
}  // namespace steelyard::tool
