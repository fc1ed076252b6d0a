// SPDX-License-Identifier: Apache-2.0
#include "schedules/adaptive.hpp"

#include "loop_run.hpp"

namespace steelyard::schedules::testing {
namespace {

TEST(adaptive, deals_all_to_one_owner) {
  loop_run run("adaptive", {100, 3, 10, 1, {.contiguous = true, .all_arrive = true}});
  EXPECT_EQ(run.remaining(0), 100U);
  EXPECT_EQ(run.next(0), (step{0, 10, 1}));
  EXPECT_EQ(run.next(1), (step{55, 10, 1}));  // half of 90
  EXPECT_EQ(run.remaining(0), 45U);
}

/// Member 0 has run out; member 1 runs what it got from it. Half of the rest of member 2 would be more.
TEST(adaptive, takes_back_what_is_left_of_what_it_has_given) {
  loop_run run("adaptive", {96, 2, 8, 1, {.contiguous = true, .all_arrive = true}});
  run.next(0);                               // 0-7, 88 left
  EXPECT_EQ(run.next(1), (step{52, 8, 1}));  // 44 of them, 36 left
  while (run.remaining(0) > 0) run.next(0);
  const auto left = run.remaining(1);
  EXPECT_EQ(left, 36U);
  EXPECT_EQ(run.next(0), (step{60, 8, 1}));  // all 36
  EXPECT_EQ(run.remaining(1), 0U);
  EXPECT_EQ(run.remaining(0), 28U);
}

}  // namespace
}  // namespace steelyard::schedules::testing
