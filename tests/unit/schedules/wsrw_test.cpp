// SPDX-License-Identifier: Apache-2.0
#include "schedules/wsrw.hpp"

#include "loop_run.hpp"

namespace steelyard::schedules::testing {
namespace {

void empty(loop_run& run, member m, std::uint64_t down_to = 0) {
  while (run.remaining(m) > down_to) run.next(m);
}

TEST(wsrw, asks_who_has_most_work) {
  std::vector<double> costs(40, 1.0);
  for (std::size_t i = 2; i < 40; i += 4) costs[i] = 10;  // those of member 2
  loop_run run("wsrw", {40, 4, 2, 0}, costs);             // lists of 10
  empty(run, 0);
  empty(run, 2, 4);
  // Left: 0, 10, 4 and 10 iterations, of which the 4 are most work. Half of it are x = 8 and 9.
  EXPECT_EQ(run.remaining_work(1), 10);
  EXPECT_EQ(run.remaining_work(2), 40);
  EXPECT_EQ(run.next(0), (step{34, 2, 4}));
  EXPECT_EQ(run.remaining_work(2), 20);
  EXPECT_EQ(run.remaining_work(0), 0);
  EXPECT_EQ(run.counts(0).steals, 1U);
}

TEST(wsrw, takes_at_most_half_of_the_work_from_the_tail) {
  std::vector<double> costs(40, 1.0);
  costs[39] = 5;
  loop_run run("wsrw", {40, 2, 1, 0}, costs);
  empty(run, 0);
  EXPECT_EQ(run.next(0), (step{25, 1, 2}));  // x = 12 … 19 are 12 of 24
  EXPECT_EQ(run.remaining(1), 12U);
  EXPECT_EQ(run.remaining_work(1), 12);
  EXPECT_EQ(run.remaining_work(0), 11);
}

TEST(wsrw, leaves_a_member_with_the_work_of_less_than_5_alone_once_it_has_come) {
  std::vector<double> costs(20, 1.0);
  for (const std::size_t i : {1U, 3U, 5U}) costs[i] = 100;
  loop_run run("wsrw", {20, 2, 3, 0}, costs);
  run.next(1);  // the expensive ones
  empty(run, 0);
  EXPECT_TRUE(run.next(0).done());
  EXPECT_EQ(run.counts(0).attempts, 0U);
  EXPECT_EQ(run.remaining(1), 7U);
}

TEST(wsrw, takes_a_single_dear_iteration) {
  std::vector<double> costs(20, 1.0);
  costs[19] = 100;
  loop_run run("wsrw", {20, 2, 9, 0}, costs);
  run.next(1);
  empty(run, 0);
  EXPECT_EQ(run.next(0), (step{19, 1, 2}));
  EXPECT_TRUE(run.next(1).done());
}

/// Opt2: as cyclic, unless somebody does not come.
TEST(wsrw, does_not_balance_equal_costs) {
  const std::vector<double> costs(20, 3.0);
  loop_run run("wsrw", {20, 3, 2, 0}, costs);
  EXPECT_EQ(run.next(0), (step{0, 7, 3}));
  EXPECT_EQ(run.next(1), (step{1, 7, 3}));
  EXPECT_EQ(run.next(2), (step{2, 6, 3}));
  for (const member m : {2U, 1U, 0U}) {
    EXPECT_TRUE(run.next(m).done());
    EXPECT_EQ(run.counts(m).attempts, 0U);
  }
}

TEST(wsrw, is_told_of_equal_costs_without_sums) {
  shape loop{20, 2, 2, 0};
  loop.known.equal = true;
  loop_run run("wsrw", loop);
  EXPECT_EQ(run.next(0), (step{0, 10, 2}));
  EXPECT_EQ(run.remaining_work(1), 10);
}

/// Whatever the members do, it is wsri where costs say nothing.
TEST(wsrw, is_wsri_without_costs) {
  std::mt19937_64 draw(1);
  for (int round = 0; round < 300; ++round) {
    const auto members = 1 + static_cast<std::uint32_t>(draw() % 9);
    const shape loop{draw() % 3000, members, draw() % 20, 0, {.contiguous = draw() % 2 == 0}};
    const std::vector<double> nothing(loop.iterations, 0.0);
    auto order = draw;
    loop_run wsri("wsri", loop);
    const auto expected = in_random_order(wsri, everybody(members), order);
    order = draw;
    loop_run without("wsrw", loop);
    ASSERT_EQ(in_random_order(without, everybody(members), order), expected);
    order = draw;
    loop_run zeros("wsrw", loop, nothing);
    ASSERT_EQ(in_random_order(zeros, everybody(members), order), expected);
  }
}

/// Opt4: a way to find the place, not another place.
TEST(wsrw, cuts_where_a_scan_would) {
  std::mt19937_64 draw(2);
  for (int round = 0; round < 300; ++round) {
    const auto members = 1 + static_cast<std::uint32_t>(draw() % 9);
    shape loop{draw() % 3000, members, draw() % 20, 0, {.contiguous = draw() % 2 == 0}};
    std::vector<double> costs(loop.iterations);
    for (auto& cost : costs) cost = static_cast<double>(draw() % 8);
    auto order = draw;
    loop_run search("wsrw", loop, costs);
    const auto expected = in_random_order(search, everybody(members), order);
    order = draw;
    loop.experiment.halves = halving::scan;
    loop_run scan("wsrw", loop, costs);
    ASSERT_EQ(in_random_order(scan, everybody(members), order), expected);
  }
}

TEST(wsrw, halves_iterations_when_told_to) {
  std::vector<double> costs(40, 1.0);
  costs[39] = 5;
  shape loop{40, 2, 1, 0};
  loop.experiment.halves = halving::iterations;
  loop_run run("wsrw", loop, costs);
  empty(run, 0);
  EXPECT_EQ(run.next(0), (step{21, 1, 2}));
  EXPECT_EQ(run.remaining(1), 10U);
}

TEST(wsrw, and_its_kin_take_the_least_from_the_loop) {
  for (const char* name : {"wsr", "wsri", "wsrw"}) {
    shape loop{20, 2, 3, 1};
    loop.experiment.least_left = 4;
    loop_run run(name, loop);
    run.next(1);
    run.next(1);  // member 1 has 4 left
    empty(run, 0);
    EXPECT_EQ(run.next(0), (step{17, 2, 2})) << name;
    loop.experiment.least_left = 8;
    loop_run other(name, loop);
    other.next(1);  // 7 left
    empty(other, 0);
    EXPECT_TRUE(other.next(0).done()) << name;
  }
}

TEST(wsrw, keeps_steps_contiguous_when_asked) {
  std::vector<double> costs(100'003);
  for (std::size_t i = 0; i < costs.size(); ++i) costs[i] = static_cast<double>(i);
  loop_run run("wsrw", {costs.size(), 7, 0, 1, {.contiguous = true}}, costs);
  for (const auto& [who, what] : in_turn(run, {3, 1})) EXPECT_TRUE(what.stride == 1 || what.count == 1);
}

/// Whether front ends want neighbours together or not: dealt one by one, and 64^(1/4) = 3 at once.
TEST(wsrw, is_as_published_when_asked) {
  for (const bool contiguous : {false, true}) {
    loop_run run("wsrw:paper", {64, 2, 0, 0, {contiguous}});
    EXPECT_EQ(run.next(1), (step{1, 3, 2}));
    EXPECT_EQ(run.next(1), (step{7, 3, 2}));
    EXPECT_EQ(run.remaining(1), 26U);
    loop_run chunked("wsrw:paper", {64, 2, 5, 0, {contiguous}});
    EXPECT_EQ(chunked.next(0), (step{0, 5, 2}));
  }
}

}  // namespace
}  // namespace steelyard::schedules::testing
