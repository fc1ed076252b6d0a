// SPDX-License-Identifier: Apache-2.0
#include "schedules/chunks/dynamic.hpp"

#include "loop_run.hpp"

namespace steelyard::schedules::testing {
namespace {

TEST(dynamic, shares_what_remains) {
  loop_run run("dynamic", {10, 3, 4, 0});
  run.next(1);
  for (member m = 0; m < 3; ++m) EXPECT_EQ(run.remaining(m), 6U);
}

}  // namespace
}  // namespace steelyard::schedules::testing
