// SPDX-License-Identifier: Apache-2.0
#include "openmp/shares/at_barriers.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "openmp/program/settings.hpp"
#include "openmp/shares/static_loop.hpp"
#include "schedules/choice.hpp"
#include "timed_blocks.hpp"

namespace steelyard::openmp {
namespace {

constexpr std::uint32_t members = 4;
constexpr std::uint64_t n = 100'000;
const ends equal{25'000, 50'000, 75'000, 100'000};

struct loop_under : site {
  explicit loop_under(const char* name) { forced = schedules::parse_choice(name).value; }
};

/// A region whose members come to its barriers one after the other, and whose blocks take what the test says.
class team {
 public:
  explicit team(region_shares& known) : known_(known) {
    EXPECT_TRUE(known.enter());
    of.at = &fork_;
    of.shares = &known;
    of.entered = of.timed = of.at_barriers = true;
    for (std::uint32_t m = 0; m < members; ++m) {
      all[m].team = &of;
      all[m].number = m;
      all[m].members = members;
    }
  }
  ~team() { known_.leave(of.dealt_loops.load(sync::acquire, sync::site{"test"}), true); }
  team(const team&) = delete;
  team& operator=(const team&) = delete;

  /// Where the blocks of a loop end, which all members run.
  ends run(site& at, const cost& before, std::uint64_t iterations = n) {
    ends found(members);
    for (implicit_task& in : all) {
      const share mine = find_share(in, at, iterations);
      for (std::uint32_t m = 0; m < members; ++m) {
        const std::uint64_t end = mine.is_told ? mine.by->ends[m] : iterations * (m + 1) / members;
        if (in.number == 0) found[m] = end;
        EXPECT_EQ(found[m], end) << "members disagree";
      }
      const auto cost_before = [&](std::uint64_t i) {
        return before(static_cast<double>(i) / static_cast<double>(iterations));
      };
      const std::uint64_t first = in.number != 0 ? found[in.number - 1] : 0;
      note_block(*mine.by, in.number, 1e9 * (cost_before(found[in.number]) - cost_before(first)));
    }
    return found;
  }
  /// Behind loops that took long, whatever they took here.
  void barrier() {
    of.owed = 0;
    for (implicit_task& in : all) come_to_barrier(in);
  }

  region of;
  std::array<implicit_task, members> all;

 private:
  site fork_;
  region_shares& known_;
};

void expect_triangle(const ends& found) {
  EXPECT_NEAR(static_cast<double>(found[0]), 13'400, 300);  // 1 - sqrt(1 - 1/4)
  EXPECT_NEAR(static_cast<double>(found[2]), 50'000, 300);
}

TEST(at_barriers, the_loops_behind_a_barrier_get_shares_of_those_before) {
  const auto known = std::make_unique<region_shares>();
  loop_under at("nustatic:barriers");
  team once(*known);
  EXPECT_EQ(once.run(at, falling), equal);
  EXPECT_EQ(once.run(at, falling), equal) << "no barrier yet";
  once.barrier();
  expect_triangle(once.run(at, falling));
  once.barrier();
  for (int i = 0; i < 4; ++i) {
    once.run(at, rising);
    once.barrier();
  }
  EXPECT_NEAR(static_cast<double>(once.run(at, rising)[0]), 50'000, 1'000) << "a phase inside of the region";
}

TEST(at_barriers, nothing_changes_before_the_last_member_comes) {
  const auto known = std::make_unique<region_shares>();
  loop_under at("nustatic:barriers");
  team once(*known);
  once.run(at, falling);
  for (std::uint32_t m = 0; m + 1 < members; ++m) come_to_barrier(once.all[m]);
  EXPECT_FALSE(find_share(once.all[3], at, n).is_told);
  come_to_barrier(once.all[3]);
  EXPECT_TRUE(find_share(once.all[3], at, n).is_told);
}

TEST(at_barriers, the_next_region_begins_with_what_was_learnt) {
  const auto known = std::make_unique<region_shares>();
  loop_under at("nustatic:barriers");
  {
    team first(*known);
    first.run(at, falling);
    first.barrier();
  }
  team second(*known);
  expect_triangle(second.run(at, falling));
  second.barrier();
  expect_triangle(second.run(at, falling));
}

TEST(at_barriers, each_trip_count_has_its_own) {
  const auto known = std::make_unique<region_shares>();
  loop_under at("nustatic:barriers");
  loop_under other("nustatic:barriers");
  team once(*known);
  once.run(at, falling);
  once.run(other, rising, 1'000);
  once.barrier();
  expect_triangle(once.run(at, falling));
  EXPECT_NEAR(static_cast<double>(once.run(other, rising, 1'000)[0]), 500, 10);
}

/// Loops of as many iterations that take turns are no phases of one loop.
TEST(at_barriers, the_loop_behind_a_barrier_tells_trip_counts_apart) {
  const auto known = std::make_unique<region_shares>();
  loop_under one("nustatic:barriers");
  loop_under other("nustatic:barriers");
  team once(*known);
  for (int i = 0; i < 3; ++i) {
    const ends found = once.run(one, falling);
    if (i != 0) expect_triangle(found);
    once.barrier();
    EXPECT_NEAR(static_cast<double>(once.run(other, rising)[0]), i != 0 ? 50'000 : 25'000, 300);
    once.barrier();
  }
  expect_triangle(once.run(one, falling));
  expect_triangle(once.run(other, rising));
  once.barrier();
  EXPECT_NEAR(static_cast<double>(once.run(other, rising)[0]), 50'000, 300);
}

TEST(at_barriers, loops_that_are_not_to_change_there_keep_what_they_have) {
  for (const char* schedule : {"nustatic", "static"}) {
    const auto known = std::make_unique<region_shares>();
    loop_under at("nustatic:barriers");
    loop_under other(schedule);
    team once(*known);
    once.run(at, falling);
    once.run(other, falling);
    once.barrier();
    EXPECT_EQ(once.run(at, falling), equal) << "one of as many iterations " << schedule;
  }
}

TEST(at_barriers, what_is_seen_too_late_is_kept_from_the_next_barrier_on) {
  const auto known = std::make_unique<region_shares>();
  loop_under at("nustatic:barriers");
  team once(*known);
  once.run(at, falling);
  once.barrier();
  expect_triangle(once.run(at, falling));
  known->bar("a reason");
  once.barrier();
  EXPECT_EQ(once.run(at, falling), equal);
}

TEST(at_barriers, given_shares_stay) {
  const auto known = std::make_unique<region_shares>();
  loop_under at("nustatic:15,20,25,40");
  at.by_rule = true;
  team once(*known);
  const ends given{15'000, 35'000, 60'000, 100'000};
  EXPECT_EQ(once.run(at, falling), given);
  once.barrier();
  EXPECT_EQ(once.run(at, falling), given);
}

TEST(at_barriers, timing_is_rare_where_loops_are_short) {
  const auto known = std::make_unique<region_shares>();
  loop_under at("nustatic:barriers");
  team once(*known);
  once.run(at, [](double x) { return x * 1e-6; });
  once.barrier();
  EXPECT_GT(once.of.owed, 0U);
  EXPECT_FALSE(is_timed(once.of));
  const share mine = find_share(once.all[0], at, n);
  dealt* const by = mine.by;
  const auto loops = by->of(0).loops.read();
  begin_block(once.all[0], mine);
  end_block(once.all[0]);
  EXPECT_EQ(by->of(0).loops.read(), loops);
  once.of.owed = 1;  // the region has run for nearly as long as it owes
  for (auto& in : once.all) come_to_barrier(in);
  EXPECT_TRUE(is_timed(once.of));
}

TEST(at_barriers, loops_that_take_turns_are_timed_in_turn) {
  const auto known = std::make_unique<region_shares>();
  loop_under at("nustatic:barriers");
  team once(*known);
  std::vector<int> timed;
  for (int number = 0; number < 10; ++number) {
    if (is_timed(once.of)) timed.push_back(number);
    once.run(at, falling);
    if (once.of.owed != 0) once.of.owed = 1;  // as if it had taken long
    for (auto& in : once.all) come_to_barrier(in);
  }
  EXPECT_EQ(timed, (std::vector<int>{0, 2, 5, 7}));
}

TEST(at_barriers, balanced_loops_need_nothing) {
  const auto known = std::make_unique<region_shares>();
  loop_under at("nustatic:barriers");
  {
    team once(*known);
    for (int i = 0; i < 5; ++i) {
      EXPECT_EQ(once.run(at, even), equal);
      once.barrier();
    }
  }
  EXPECT_TRUE(known->is_equal());
}

}  // namespace
}  // namespace steelyard::openmp
