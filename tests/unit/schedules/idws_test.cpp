// SPDX-License-Identifier: Apache-2.0
#include "schedules/idws.hpp"

#include "loop_run.hpp"

namespace steelyard::schedules::testing {
namespace {

/// Four members, blocks of 10. Member 1 has claimed 4 of its block, member 2 none, member 3 is through.
TEST(idws, gives_half_of_what_the_fullest_has_not_claimed_rounded_down) {
  loop_run run("idws", {40, 4, 5, 0, {.contiguous = true, .all_arrive = true}});
  for (const member m : {0U, 1U, 2U, 3U, 0U}) run.next(m);
  EXPECT_EQ(run.remaining(2), 5U);
  EXPECT_EQ(run.next(0), (step{18, 2, 1}));  // from member 1: the first behind it that has most
  EXPECT_EQ(run.remaining(1), 3U);
  EXPECT_EQ(run.counts(0).steals, 1U);
}

TEST(idws, refuses_an_empty_share) {
  loop_run run("idws", {12, 2, 5, 0, {.contiguous = true, .all_arrive = true}});  // blocks of 6
  EXPECT_EQ(run.next(0), (step{0, 5, 1}));
  EXPECT_EQ(run.next(1), (step{6, 5, 1}));
  EXPECT_EQ(run.next(1), (step{11, 1, 1}));
  EXPECT_TRUE(run.next(1).done());  // the one that is left stays with member 0
  EXPECT_EQ(run.next(0), (step{5, 1, 1}));
}

TEST(idws, takes_over_the_share_of_a_member_that_does_not_come) {
  loop_run run("idws", {10, 2, 5, 0, {.contiguous = true}});
  EXPECT_EQ(run.next(1), (step{5, 5, 1}));
  EXPECT_EQ(run.next(1), (step{0, 5, 1}));
  EXPECT_TRUE(run.next(1).done());
  EXPECT_TRUE(run.next(0).done());
}

}  // namespace
}  // namespace steelyard::schedules::testing
