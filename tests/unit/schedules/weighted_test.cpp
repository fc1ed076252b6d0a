// SPDX-License-Identifier: Apache-2.0
#include "schedules/chunks/weighted.hpp"

#include <cstdint>
#include <string>
#include <vector>

#include "loop_run.hpp"
#include "schedules/choice.hpp"

namespace steelyard::schedules::testing {
namespace {

constexpr std::uint64_t iterations = 100'000;

/// How many iterations each member has run when each runs its chunks at its speed; the one that is furthest behind calls.
std::vector<std::uint64_t> run_at(const char* name, const std::vector<std::uint64_t>& speeds, loop_record& record,
                                  std::uint64_t scale = 1'000'000) {
  shape loop{iterations, static_cast<std::uint32_t>(speeds.size()), 0, 0};
  loop.known.record = &record;
  loop_run run(name, loop);
  std::vector<std::uint64_t> ran(speeds.size());
  std::vector<std::uint64_t> clock(speeds.size());
  std::vector<bool> done(speeds.size());
  for (std::size_t left = speeds.size(); left != 0;) {
    std::size_t m = speeds.size();
    for (std::size_t each = 0; each < speeds.size(); ++each) {
      if (!done[each] && (m == speeds.size() || clock[each] < clock[m])) m = each;
    }
    const auto chunk = run.next(static_cast<member>(m));
    if (chunk.done()) {
      done[m] = true;
      --left;
      continue;
    }
    const auto took = chunk.count * scale / speeds[m];
    run.completed(static_cast<member>(m), chunk, {took, 1});
    clock[m] += took;
    ran[m] += chunk.count;
  }
  run.learnt(record);
  ++record.instances;
  return ran;
}

TEST(weighted, learns_how_fast_members_are) {
  for (const char* const name : {"wf2", "awf"}) {
    loop_record record;
    static_cast<void>(run_at(name, {4, 4, 2, 2}, record));
    shape loop{iterations, 4, 0, 0};
    loop.known.record = &record;
    loop_run next(name, loop);
    EXPECT_EQ(next.next(0).count, 16667U) << name;  // 4/3 of an eighth
    EXPECT_EQ(next.next(2).count, 8334U) << name;
  }
}

/// What is known of another team is not used, and forgotten.
TEST(weighted, knows_one_team) {
  loop_record record;
  static_cast<void>(run_at("awf", {4, 1}, record));
  shape loop{iterations, 4, 0, 0};
  loop.known.record = &record;
  EXPECT_EQ(loop_run("awf", loop).next(0).count, iterations / 8);
  static_cast<void>(run_at("awf", {1, 1, 1, 1}, record));
  EXPECT_EQ(record.members, 4U);
  EXPECT_EQ(loop_run("awf", loop).next(3).count, iterations / 8);
}

/// Times of 0 ticks tell nothing, and lose nothing.
TEST(weighted, goes_on_without_times) {
  for (const char* const name : {"wf2", "awf", "awf-b", "awf-c", "awf-d", "awf-e"}) {
    loop_record record;
    std::uint64_t all = 0;
    for (const auto ran : run_at(name, {3, 2, 1}, record, 0)) all += ran;
    EXPECT_EQ(all, iterations) << name;
  }
}

TEST(weighted, is_told_of_every_instance_by_name) {
  EXPECT_FALSE(find("wf2")->feedback->always);
  EXPECT_TRUE(find("awf")->feedback->always);
}

TEST(weighted, a_member_of_no_weight_takes_one_at_a_time) {
  const auto chosen = parse_choice("WF2: 0, 2");
  ASSERT_EQ(chosen.error, choice_error::none);
  EXPECT_EQ(chosen.value.form, "0, 2");
  shape loop{1000, 2, 0, 0};
  loop.known.weights = &chosen.value.shares;
  loop_run run("wf2", loop);
  EXPECT_EQ(run.next(0), (step{0, 1, 1}));
  EXPECT_EQ(run.next(1), (step{1, 500, 1}));
}

TEST(weighted, weights_that_are_none_are_told) {
  EXPECT_EQ(parse_choice("wf2:1").error, choice_error::too_few_shares);
  EXPECT_EQ(parse_choice("wf2:0,0").error, choice_error::no_weight);
  EXPECT_EQ(parse_choice("wf2:1,x").error, choice_error::share_not_a_number);
  EXPECT_EQ(parse_choice("wf2:").error, choice_error::share_not_a_number);
  EXPECT_EQ(parse_choice("wf2,8").value.chunk, 8U);
}

}  // namespace
}  // namespace steelyard::schedules::testing
