// SPDX-License-Identifier: Apache-2.0
#include "schedules/steal.hpp"

#include <algorithm>
#include <array>
#include <random>
#include <vector>

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

TEST(steal_even, takes_a_third_of_what_it_has) {
  shape loop{8100, 2};
  loop_run run("steal:even", loop);
  for (const std::uint64_t count : {1350U, 900U, 600U, 400U}) EXPECT_EQ(run.next(0).count, count);
  EXPECT_EQ(run.remaining(0), 800U);
  loop.known.grain = 1000;
  loop_run coarse("steal:even", loop);
  for (const std::uint64_t count : {1350U, 1000U, 1000U, 700U}) EXPECT_EQ(coarse.next(0).count, count);
  loop.known.grain = 10;
  loop.known.most_at_once = 500;
  loop_run bounded("steal:even", loop);
  for (const std::uint64_t count : {500U, 500U, 500U}) EXPECT_EQ(bounded.next(0).count, count);
}

TEST(steal_even, has_a_dozen_chunks_of_a_share) {
  shape loop{64'000, 2};
  loop.known.grain = 1000;
  loop_run run("steal:even", loop);
  int chunks = 0;
  for (; run.remaining(0) != 0; ++chunks) run.next(0);
  EXPECT_LE(chunks, 12);
  run.next(0);
  EXPECT_EQ(run.counts(0).steals, 1U) << "and steals as steal does";
}

TEST(steal, takes_no_less_and_no_more_than_is_worth_it) {
  shape loop{4000, 2};
  loop.known.grain = 100;
  loop_run run("steal", loop);
  for (const std::uint64_t count : {12U, 12U, 24U, 48U, 96U, 100U, 146U, 219U}) EXPECT_EQ(run.next(0).count, count);
  loop.known.most_at_once = 110;
  loop_run bounded("steal", loop);
  for (const std::uint64_t count : {12U, 12U, 24U, 48U, 96U, 100U, 110U}) EXPECT_EQ(bounded.next(0).count, count);
  loop.chunk = 10;  // who says one means it
  EXPECT_EQ(loop_run("steal", loop).next(0).count, 10U);
}

/// 200 iterations in shares that are known to cost the same.
class steal_from_known_shares : public ::testing::Test {
 protected:
  steal_from_known_shares() { loop.known.ends = ends.data(); }
  const std::array<std::uint64_t, 4> ends{10, 90, 100, 200};
  shape loop{200, 4};
};

TEST_F(steal_from_known_shares, a_member_begins_with_its_own) {
  loop_run run("steal", loop);
  for (const member m : {0U, 1U, 2U, 3U}) EXPECT_EQ(run.remaining(m), ends[m] - (m == 0 ? 0 : ends[m - 1]));
}

TEST_F(steal_from_known_shares, nobody_feels_its_way) {
  loop_run run("steal", loop);
  EXPECT_EQ(run.next(1), (step{10, 26, 1})) << "a third";
  EXPECT_EQ(run.next(1), (step{36, 18, 1}));
  EXPECT_EQ(run.next(0), (step{0, 3, 1}));
}

TEST_F(steal_from_known_shares, the_dearest_rest_is_asked_for) {
  loop_run run("steal", loop);
  EXPECT_EQ(run.next(3).count, 33U);
  EXPECT_EQ(run.next(2).count, 3U);
  while (run.remaining(1) != 0) run.next(1);
  EXPECT_EQ(run.next(1), (step{5, 1, 1})) << "of 10 that cost as much as 50 on average; 67 are left that cost 33";
}

TEST_F(steal_from_known_shares, what_is_worth_handing_out_is_of_mean_cost) {
  loop.known.grain = 10;
  loop_run run("steal", loop);
  EXPECT_EQ(run.next(0).count, 3U) << "which cost 15";
  EXPECT_EQ(run.next(0).count, 2U) << "which cost 10";
  while (run.remaining(3) > 40) run.next(3);
  EXPECT_EQ(run.next(3).count, 20U) << "a third would cost less than 10";
}

TEST(steal, loses_nothing_wherever_shares_end) {
  std::mt19937_64 draw(1);
  for (int round = 0; round < 300; ++round) {
    const std::uint64_t n = round % 3 == 0 ? draw() : draw() % 300;
    const auto members = static_cast<std::uint32_t>(1 + draw() % 40);
    std::vector<std::uint64_t> ends(members);
    for (auto& end : ends) end = n != 0 && draw() % 4 != 0 ? draw() % n : n;
    std::sort(ends.begin(), ends.end());
    shape loop{n, members, 0, draw()};
    loop.known.ends = ends.data();
    loop.known.grain = draw() % 4;
    loop_run run("steal", loop);
    EXPECT_TRUE(covers(in_random_order(run, everybody(members), draw), n)) << n << " by " << members;
  }
}

/// A loop may be opened without its last iteration.
TEST(steal, knows_shares_that_end_behind_the_loop) {
  const std::array<std::uint64_t, 3> ends{2, 10, 10};
  shape loop{9, 3};
  loop.known.ends = ends.data();
  loop_run run("steal", loop);
  EXPECT_TRUE(covers(in_turn(run, everybody(3)), 9));
}

}  // namespace
}  // namespace steelyard::schedules::testing
