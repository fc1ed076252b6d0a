// SPDX-License-Identifier: Apache-2.0
#include "coverage.hpp"

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
  result.regions[{"app", 0x20}] = {"/nonexistent/app", "", std::nullopt, 0, 56e3};
  result.warnings = {"odd"};
  const auto text = coverage_text(analyse(made_up::measurement::rows(), result), result);
  EXPECT_TRUE(contains(text, "passed    app+0x11a4")) << text;
  EXPECT_TRUE(contains(text, "monotonic: drop `monotonic:`")) << text;
  EXPECT_TRUE(contains(text, "region    app+0x20")) << text;
  EXPECT_TRUE(contains(text, "warned: odd")) << text;
}

}  // namespace
}  // namespace steelyard::tool
