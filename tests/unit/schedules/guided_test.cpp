// SPDX-License-Identifier: Apache-2.0
#include "schedules/chunks/guided.hpp"

#include "loop_run.hpp"

namespace steelyard::schedules::testing {
namespace {

TEST(guided, rounds_up_without_overflow) {
  loop_run run("guided", {~0ULL, 2, 0, 0});
  EXPECT_EQ(run.next(0), (step{0, 1ULL << 63, 1}));
  EXPECT_EQ(run.next(0), (step{1ULL << 63, 1ULL << 62, 1}));
}

}  // namespace
}  // namespace steelyard::schedules::testing
