// SPDX-License-Identifier: Apache-2.0
#include "present/coverage.hpp"

#include <gtest/gtest.h>

#include "made_up.hpp"

namespace steelyard::tool {
namespace {

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(coverage, the_baseline_says_what_it_is) {
  experiment_result result;
  site_facts facts;
  facts.clause = "dynamic";
  EXPECT_EQ(baseline_text(facts, result), "as written (dynamic)");
  facts.clause_chunk = 4;
  EXPECT_EQ(baseline_text(facts, result), "as written (dynamic,4)");
  facts.clause = "runtime";
  result.runtimes = {"/usr/lib/libgomp.so.1"};
  EXPECT_EQ(baseline_text(facts, result),
            "as written: schedule(runtime), OMP_SCHEDULE=default, which is dynamic,1 in libgomp");
  result.omp_schedule = "static";
  EXPECT_EQ(baseline_text(facts, result), "as written: schedule(runtime), OMP_SCHEDULE=static");
}

TEST(coverage, what_the_drop_in_passes_has_a_remedy) {
  for (const char* reason : {"monotonic", "ordered", "doacross", "static", "task reduction",
                             "scan or lastprivate(conditional:)", "a team whose start was not seen"}) {
    EXPECT_NE(remedy_for(reason), "runs as written") << reason;
  }
  EXPECT_EQ(remedy_for("team too large"), "runs as written");
}

TEST(coverage, taken_passed_and_regions) {
  made_up::measurement measured;
  measured.passed = "monotonic";
  auto result = measured.result();
  made_up::add_region(result, {"app", 0x20}, {"/nonexistent/app", "gomp", "", std::nullopt}, 8, 0, 4);
  result.warnings = {"odd"};
  const auto text = coverage_text(analyse(made_up::measurement::rows(), result), result);
  EXPECT_TRUE(contains(text, "passed    app+0x11a4")) << text;
  EXPECT_TRUE(contains(text, "monotonic: drop `monotonic:`")) << text;
  EXPECT_TRUE(contains(text, "region    app+0x20")) << text;
  EXPECT_TRUE(contains(text, "50.0 %")) << text;
  EXPECT_TRUE(contains(text, "warned: odd")) << text;
}

/// A program whose loops are all static: three regions of different balance.
comparison only_static(experiment_result& result) {
  made_up::measurement measured;
  measured.passed = "static";
  result = measured.result();
  result.runtimes = {"/usr/lib/libgomp.so.1"};
  made_up::add_region(result, {"app", 0x20}, {"/nonexistent/app", "gomp", "", std::nullopt}, 2, 0, 0.2);
  made_up::add_region(result, {"app", 0x30}, {"/nonexistent/app", "gomp", "", std::nullopt}, 3, 0, 1.2);
  made_up::add_region(result, {"app", 0x40}, {"/nonexistent/app", "gomp", "", std::nullopt}, 4, 0, 1.9);
  return analyse(made_up::measurement::rows(), result);
}

TEST(coverage, lines_to_change_come_by_what_they_could_save) {
  experiment_result result;
  const auto found = only_static(result);
  const auto lines = lines_to_change(found);
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[0].site, "app+0x40");
  EXPECT_NEAR(lines[0].up_to, 1.9 / 112, 1e-3);
  EXPECT_EQ(lines[1].site, "app+0x30");
  const auto text = change_text(found, result);
  EXPECT_TRUE(contains(text, "change this line: app+0x40: up to 1.7 %: write schedule(runtime)")) << text;
  EXPECT_TRUE(contains(text, "GCC: such a loop has, without OMP_SCHEDULE, the default, which is dynamic,1")) << text;
}

/// It has been compiled by `steelyard cc`, so that is no advice.
TEST(coverage, what_the_launcher_has_rewritten_is_known_to_its_report) {
  experiment_result result;
  only_static(result);
  for (auto& [key, facts] : result.sites) facts.abi = "compiled";
  const auto text = coverage_text(analyse(made_up::measurement::rows(), result), result);
  EXPECT_TRUE(contains(text, "steelyard cc --report PROGRAM says why")) << text;
}

TEST(coverage, a_balanced_program_has_no_line_to_change) {
  experiment_result result;
  auto found = only_static(result);
  found.regions.clear();
  EXPECT_EQ(change_text(found, result), "");
}

}  // namespace
}  // namespace steelyard::tool
