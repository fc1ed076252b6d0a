// SPDX-License-Identifier: Apache-2.0
#include "schedules/wsr.hpp"

#include "loop_run.hpp"

namespace steelyard::schedules::testing {
namespace {

TEST(wsr, leaves_a_member_with_less_than_5_alone_once_it_has_come) {
  loop_run run("wsr", {20, 2, 3, 1});
  run.next(1);
  run.next(1);  // member 1 has 4 left
  while (!run.next(0).done()) {
  }
  EXPECT_EQ(run.counts(0).attempts, 0U);
  EXPECT_EQ(run.remaining(1), 4U);
}

TEST(wsr, asks_a_member_with_5_left) {
  loop_run run("wsr", {20, 2, 1, 1});
  for (int i = 0; i < 5; ++i) run.next(1);
  for (int i = 0; i < 10; ++i) run.next(0);
  EXPECT_EQ(run.next(0), (step{17, 1, 2}));  // the lower half of 5: x = 8 and 9
  EXPECT_EQ(run.remaining(1), 3U);
}

TEST(wsr, reserves_the_fourth_root_of_the_work) {
  EXPECT_EQ(loop_run("wsr", {1'000'000, 4, 0, 1}).next(3), (step{3, 32, 4}));  // 31.6
  EXPECT_EQ(loop_run("wsr", {1, 4, 0, 1}).next(0), (step{0, 1, 4}));
  EXPECT_EQ(fourth_root(0), 0U);
  EXPECT_EQ(fourth_root(5), 1U);  // 1.5^4 = 5.06
  EXPECT_EQ(fourth_root(6), 2U);
  EXPECT_EQ(fourth_root(39), 2U);  // 2.5^4 = 39.06
  EXPECT_EQ(fourth_root(40), 3U);
  EXPECT_EQ(fourth_root(~0ULL), 65'536U);
}

/// Whether front ends want neighbours together or not: dealt one by one, and 64^(1/4) = 3 at once.
TEST(wsr, is_as_published_when_asked) {
  for (const bool contiguous : {false, true}) {
    loop_run run("wsr:paper", {64, 2, 0, 0, {contiguous}});
    EXPECT_EQ(run.next(1), (step{1, 3, 2}));
    EXPECT_EQ(run.next(1), (step{7, 3, 2}));
    EXPECT_EQ(run.remaining(1), 26U);
    loop_run chunked("wsr:paper", {64, 2, 5, 0, {contiguous}});
    EXPECT_EQ(chunked.next(0), (step{0, 5, 2}));
  }
}

}  // namespace
}  // namespace steelyard::schedules::testing
