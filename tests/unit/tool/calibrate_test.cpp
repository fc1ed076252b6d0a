// SPDX-License-Identifier: Apache-2.0
#include "sync/calibrate.hpp"

#include <gtest/gtest.h>
#include <sched.h>

#include <set>
#include <string>
#include <thread>

namespace steelyard::sync {
namespace {

using std::chrono::milliseconds;

TEST(calibrate, every_row_has_a_cost_or_a_reason) {
  std::set<std::string> names;
  for (const auto& row : calibrate(milliseconds(80))) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_NE(row.took.has_value(), row.missing[0] != '\0') << row.name;
    if (!row.took) continue;
    EXPECT_GT(row.took->median_ns, 0) << row.name;
    EXPECT_LE(row.took->median_ns, row.took->p90_ns) << row.name;
  }
  EXPECT_EQ(names.size(), 8U);
}

TEST(calibrate, one_core_has_no_partner) {
  std::thread([] {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(static_cast<unsigned>(sched_getcpu()), &set);
    ASSERT_EQ(sched_setaffinity(0, sizeof set, &set), 0);
    int measured = 0;
    for (const auto& row : calibrate(milliseconds(80))) measured += row.took ? 1 : 0;
    EXPECT_EQ(measured, 2);  // the clock and the uncontended compare-and-swap
  }).join();
}

}  // namespace
}  // namespace steelyard::sync
