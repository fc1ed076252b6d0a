// SPDX-License-Identifier: Apache-2.0
#include "schedules/steal.hpp"

#include <algorithm>

#include "loop_run.hpp"

namespace steelyard::schedules::testing {
namespace {

TEST(steal, takes_a_single_waiting_iteration) {
  loop_run run("steal", {4, 2, 0, 0});
  EXPECT_EQ(run.next(0), (step{0, 1, 1}));  // 1 waits with member 0, 2 and 3 with member 1
  EXPECT_EQ(run.next(1), (step{2, 1, 1}));
  EXPECT_EQ(run.next(1), (step{3, 1, 1}));
  EXPECT_EQ(run.next(1), (step{1, 1, 1}));
  EXPECT_TRUE(run.next(0).done());
}

TEST(steal, asks_the_fullest_for_the_upper_half) {
  loop_run run("steal", {400, 4, 10, 0});  // blocks of 100, tens at first
  for (std::uint64_t i = 0; i < 3; ++i) EXPECT_EQ(run.next(1).count, 10U);
  while (run.remaining(2) != 0) run.next(2);
  EXPECT_EQ(run.next(2), (step{350, 10, 1}));  // member 3, the first behind the thief with 100
  EXPECT_EQ(run.remaining(3), 50U);
  EXPECT_EQ(run.remaining(2), 40U);
}

TEST(steal, feels_its_way_into_every_range_anew) {
  loop_run run("steal", {4000, 2, 0, 0});
  while (run.remaining(0) != 0) run.next(0);
  for (std::uint64_t i = 0; i < 4; ++i) EXPECT_EQ(run.next(0), (step{3000 + i, 1, 1}));
  EXPECT_EQ(run.next(0), (step{3004, 2, 1}));
}

TEST(steal, takes_no_more_than_half_of_what_it_has_taken) {
  loop_run run("steal", {1 << 20, 1, 0, 0});
  std::uint64_t taken = 0;
  for (auto what = run.next(0); !what.done(); what = run.next(0)) {
    EXPECT_EQ(what.first, taken);
    EXPECT_LE(what.count, std::max<std::uint64_t>(taken / 2, 1));
    EXPECT_LE(what.count, std::max<std::uint64_t>(((1 << 20) - taken) / 5, 1));
    taken += what.count;
  }
}

TEST(steal, takes_no_less_and_no_more_than_is_worth_it) {
  shape loop{4000, 2};
  loop.known.grain = 100;
  loop_run run("steal", loop);
  for (const std::uint64_t count : {1U, 1U, 2U, 4U, 8U, 16U, 32U, 64U, 100U, 114U}) EXPECT_EQ(run.next(0).count, count);
  loop.known.most_at_once = 110;
  loop_run bounded("steal", loop);
  for (const std::uint64_t count : {1U, 1U, 2U, 4U, 8U, 16U, 32U, 64U, 100U, 110U})
    EXPECT_EQ(bounded.next(0).count, count);
  loop.chunk = 10;  // who says one means it
  EXPECT_EQ(loop_run("steal", loop).next(0).count, 10U);
}

}  // namespace
}  // namespace steelyard::schedules::testing
