// SPDX-License-Identifier: Apache-2.0
#include "schedules/chunks/dynamic.hpp"

#include "every_schedule.hpp"
#include "golden.hpp"

namespace steelyard::schedules::testing {
namespace {

STEELYARD_KEEPS_THE_CONTRACT(dynamic);

TEST(dynamic, matches_golden_vectors) { matches_golden_vectors("dynamic"); }

TEST(dynamic, shares_what_remains) {
  loop_run run("dynamic", {10, 3, 4, 0});
  run.next(1);
  for (member m = 0; m < 3; ++m) EXPECT_EQ(run.remaining(m), 6U);
}

}  // namespace
}  // namespace steelyard::schedules::testing
