// SPDX-License-Identifier: Apache-2.0
#include "schedules/static.hpp"

#include "every_schedule.hpp"
#include "golden.hpp"

namespace steelyard::schedules::testing {
namespace {

STEELYARD_KEEPS_THE_CONTRACT(static);

TEST(static, matches_golden_vectors) { matches_golden_vectors("static"); }

TEST(static, leaves_others_shares_alone_when_all_arrive) {
  loop_run run("static", {100, 4, 0, 0, false, true});
  EXPECT_EQ(run.next(2), (step{50, 25, 1}));
  EXPECT_TRUE(run.next(2).done());
  EXPECT_EQ(run.remaining(2), 0U);
  EXPECT_EQ(run.remaining(3), 25U);
}

TEST(static, counts_the_shares_of_members_that_never_came) {
  loop_run run("static", {100, 4, 0, 0, false, false});
  in_turn(run, {1});
  EXPECT_EQ(run.counts(1).steals, 3U);
}

}  // namespace
}  // namespace steelyard::schedules::testing
