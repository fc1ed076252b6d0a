// SPDX-License-Identifier: Apache-2.0
#include "schedules/wsri.hpp"

#include "loop_run.hpp"

namespace steelyard::schedules::testing {
namespace {

TEST(wsri, asks_the_fullest) {
  loop_run run("wsri", {40, 4, 2, 0});  // lists of 10
  for (int i = 0; i < 5; ++i) run.next(0);
  run.next(1);
  run.next(1);
  run.next(2);
  // Left: 0, 6, 8, 10. Member 0 takes half of member 3's: x = 5..9, two at once.
  EXPECT_EQ(run.next(0), (step{23, 2, 4}));
  EXPECT_EQ(run.remaining(3), 5U);
  EXPECT_EQ(run.remaining(0), 3U);
  EXPECT_EQ(run.counts(0).steals, 1U);
}

TEST(wsri, leaves_a_member_with_less_than_5_alone_once_it_has_come) {
  loop_run run("wsri", {20, 2, 3, 1});
  run.next(1);
  run.next(1);
  while (!run.next(0).done()) {
  }
  EXPECT_EQ(run.counts(0).attempts, 0U);
}

TEST(wsri, is_not_busy_with_a_victim_after_the_steal) {
  loop_run run("wsri", {400, 4, 10, 0});  // lists of 100
  for (const member m : {0U, 1U, 2U}) {
    const auto leave = m == 2 ? 30U : 0U;
    while (run.remaining(m) > leave) run.next(m);
  }
  run.next(0);
  EXPECT_EQ(run.remaining(3), 50U);
  run.next(1);  // member 3 is the fullest still
  EXPECT_EQ(run.remaining(3), 25U);
  EXPECT_EQ(run.remaining(2), 30U);
}

TEST(wsri, keeps_steps_contiguous_when_asked) {
  loop_run run("wsri", {1'000'003, 7, 0, 1, {.contiguous = true}});
  for (const auto& [who, what] : in_turn(run, {3, 1})) EXPECT_TRUE(what.stride == 1 || what.count == 1);
}

TEST(wsri, deals_large_blocks_where_neighbours_stay_together) {
  loop_run run("wsri",
               {64, 2, 0, 0, {.contiguous = true}});  // blocks of 8, a quarter of a share; 3 at first, the fourth root
  for (const step& expected :
       {step{0, 3, 1}, step{3, 3, 1}, step{6, 2, 1}, step{16, 1, 1}, step{17, 4, 1}, step{21, 3, 1}, step{32, 3, 1}}) {
    EXPECT_EQ(run.next(0), expected);
  }
}

/// Whether front ends want neighbours together or not: dealt one by one, and 64^(1/4) = 3 at once.
TEST(wsri, is_as_published_when_asked) {
  for (const bool contiguous : {false, true}) {
    loop_run run("wsri:paper", {64, 2, 0, 0, {contiguous}});
    EXPECT_EQ(run.next(1), (step{1, 3, 2}));
    EXPECT_EQ(run.next(1), (step{7, 3, 2}));
    EXPECT_EQ(run.remaining(1), 26U);
    loop_run chunked("wsri:paper", {64, 2, 5, 0, {contiguous}});
    EXPECT_EQ(chunked.next(0), (step{0, 5, 2}));
  }
}

}  // namespace
}  // namespace steelyard::schedules::testing
