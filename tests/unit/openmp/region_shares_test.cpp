// SPDX-License-Identifier: Apache-2.0
#include "openmp/shares/region_shares.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "openmp/shares/prices.hpp"
#include "schedules/registry.hpp"
#include "timed_blocks.hpp"

namespace steelyard::openmp {
namespace {

/// A fork and a loop in its region, whose blocks take what the test says.
class fork {
 public:
  explicit fork(std::uint32_t members = 4) : members_(members) {}

  /// One region with a loop of so many iterations at a place. Returns where its blocks ended.
  ends region(std::uint64_t iterations, const cost& before, const char* keeps = nullptr, std::uint64_t inner = 0) {
    EXPECT_TRUE(known->enter());
    dealt* const by = known->deal({&loop, nullptr, iterations, members_, true, true});
    const ends found = ends_of(*by);
    run(*by, before, work);
    if (keeps != nullptr) by->keeps.set(keeps);
    known->leave(by, true, 0, inner);
    return found;
  }

  /// The same of a region that is not timed.
  ends unseen_region(std::uint64_t iterations) {
    EXPECT_TRUE(known->enter());
    dealt* const by = known->deal({&loop, nullptr, iterations, members_, false, true});
    const ends found = ends_of(*by);
    known->leave(by, false);
    return found;
  }

  static ends ends_of(const dealt& by) {
    ends found(by.members);
    for (std::uint32_t m = 0; m < by.members; ++m) {
      found[m] = by.ends != nullptr ? by.ends[m] : by.iterations * (m + 1) / by.members;
    }
    return found;
  }

  static void run(dealt& by, const cost& before, double work = 1e9) {
    const ends until = ends_of(by);
    const auto at = [&](std::uint64_t i) {
      return before(static_cast<double>(i) / static_cast<double>(by.iterations));
    };
    note_blocks(by, [&](std::uint32_t m) { return work * (at(until[m]) - (m != 0 ? at(until[m - 1]) : 0)); });
  }

  std::unique_ptr<region_shares> known = std::make_unique<region_shares>();
  site loop;
  double work = 1e9;  ///< ticks of a loop of all members together

 private:
  std::uint32_t members_;
};

/// Whether the next region is to be timed. One that is looked at takes `ticks`.
bool is_timed(fork& of, std::uint64_t ticks = 0) {
  using kind = learn::timing_debt::kind;
  const kind what = of.known->begin();
  if (what == kind::looked_at) of.known->looked(ticks);
  return what == kind::timed;
}

const ends equal{25'000, 50'000, 75'000, 100'000};

TEST(region_shares, a_balanced_loop_needs_nothing) {
  fork of;
  for (int i = 0; i < 5; ++i) EXPECT_EQ(of.region(100'000, even), equal);
  EXPECT_TRUE(of.known->is_equal());
}

TEST(region_shares, the_next_region_gets_shares_of_equal_cost) {
  fork of;
  EXPECT_EQ(of.region(100'000, falling), equal);
  EXPECT_FALSE(of.known->is_equal());
  const ends found = of.region(100'000, falling);
  EXPECT_NEAR(static_cast<double>(found[0]), 13'400, 300);  // 1 - sqrt(1 - 1/4)
  EXPECT_NEAR(static_cast<double>(found[1]), 29'289, 300);
  EXPECT_NEAR(static_cast<double>(found[2]), 50'000, 300);
  EXPECT_EQ(found[3], 100'000U);
}

TEST(region_shares, another_trip_count_begins_with_what_is_known) {
  fork of;
  of.region(100'000, falling);
  EXPECT_NEAR(static_cast<double>(of.region(1'000, falling)[0]), 134, 4);
  EXPECT_NEAR(static_cast<double>(of.region(99'999, falling)[0]), 13'400, 300);
}

TEST(region_shares, what_is_to_keep_its_blocks_keeps_them) {
  fork of;
  of.region(100'000, falling, "a reason");
  for (int i = 0; i < 3; ++i) EXPECT_EQ(of.region(100'000, falling), equal);
  EXPECT_TRUE(of.known->is_equal());
}

TEST(region_shares, one_that_is_kept_too_late_is_kept_from_then_on) {
  fork of;
  of.region(100'000, falling);
  EXPECT_NE(of.region(100'000, falling, "a reason"), equal);
  EXPECT_EQ(of.region(100'000, falling), equal);
}

TEST(region_shares, one_that_is_kept_too_late_is_kept_though_no_time_was_taken) {
  fork of;
  of.region(100'000, falling);
  ASSERT_TRUE(of.known->enter());
  dealt* const by = of.known->deal({&of.loop, nullptr, 100'000, 4, false, true});
  ASSERT_NE(by->ends, nullptr);
  by->keeps.set("a reason");
  of.known->leave(by, false);
  EXPECT_EQ(of.region(100'000, falling), equal);
  EXPECT_EQ(of.known->barred(), nullptr) << "other loops of the region may have theirs";
}

TEST(region_shares, one_that_is_kept_too_late_beside_another_region_bars_all) {
  fork of;
  of.region(100'000, falling);
  ASSERT_TRUE(of.known->enter());
  of.region(100'000, falling, "a reason");
  EXPECT_STREQ(of.known->barred(), "a reason");
  of.known->leave(nullptr, false);
}

TEST(region_shares, what_is_dealt_pays_for_the_regions_inside) {
  fork of;
  for (int i = 0; i < 3; ++i) of.region(100'000, falling);
  EXPECT_FALSE(of.known->is_equal());
  constexpr std::uint64_t very_many = 100'000'000;
  of.region(100'000, falling, nullptr, very_many);
  EXPECT_TRUE(of.known->is_equal()) << "all would have to be seen";
  of.region(100'000, falling, nullptr, 1);
  EXPECT_FALSE(of.known->is_equal());
}

TEST(region_shares, nothing_changes_while_another_region_is_under_way) {
  fork of;
  of.region(100'000, falling);
  ASSERT_TRUE(of.known->enter());
  dealt* const long_one = of.known->deal({&of.loop, nullptr, 100'000, 4, true, true});
  const ends before = fork::ends_of(*long_one);
  EXPECT_NE(before, equal);
  const cost rising = [](double x) { return x * x; };
  for (int i = 0; i < 5; ++i) EXPECT_EQ(of.region(100'000, rising), before) << "learnt beside another region";
  EXPECT_EQ(fork::ends_of(*long_one), before);
  fork::run(*long_one, falling);
  of.known->leave(long_one, true);
  of.region(100'000, rising);
  EXPECT_NE(of.region(100'000, rising), before);
}

TEST(region_shares, a_team_that_finds_it_changing_gets_equal_blocks) {
  fork of;
  of.region(100'000, falling);
  dealt* const by = of.known->deal({&of.loop, nullptr, 100'000, 4, false, false});
  EXPECT_EQ(fork::ends_of(*by), equal);
  dealt::give_back(by);
}

TEST(region_shares, teams_of_other_sizes_get_theirs) {
  fork of;
  of.region(100'000, falling);
  ASSERT_TRUE(of.known->enter());
  dealt* const by = of.known->deal({&of.loop, nullptr, 100'000, 2, false, true});
  ASSERT_NE(by->ends, nullptr);
  EXPECT_NEAR(static_cast<double>(by->ends[0]), 29'289, 300);
  of.known->leave(by, false);
}

TEST(region_shares, loops_of_more_trip_counts_than_can_be_kept_are_forgotten_and_learnt_anew) {
  fork of;
  for (std::uint64_t n = 1'000; n < 1'200; ++n) of.region(n, falling);
  for (std::uint64_t n = 1'000; n < 1'200; ++n) {
    EXPECT_NEAR(static_cast<double>(of.region(n, falling)[2]), static_cast<double>(n) / 2, 8) << n;
  }
}

/// Equal blocks of `falling` lose 7/16 - 1/4 of the work.
double work_that_gains(double ticks) { return ticks * 16 / 3; }

TEST(region_shares, a_loop_that_would_gain_less_than_a_deal_costs_keeps_equal_blocks) {
  for (const double times : {0.1, 0.5, 0.9}) {
    fork of;
    of.work = work_that_gains(times * static_cast<double>(price_of_deal()));
    for (int i = 0; i < 5; ++i) EXPECT_EQ(of.region(100'000, falling), equal) << times;
    EXPECT_TRUE(of.known->is_equal()) << times;
  }
}

TEST(region_shares, one_that_gains_more_is_dealt) {
  for (const double times : {1.2, 2.0, 1000.0}) {
    fork of;
    of.work = work_that_gains(times * static_cast<double>(price_of_deal()));
    for (int i = 0; i < 2; ++i) of.region(100'000, falling);
    EXPECT_NEAR(static_cast<double>(of.region(100'000, falling)[2]), 50'000, 300) << times;
    EXPECT_FALSE(of.known->is_equal()) << times;
  }
}

TEST(region_shares, a_short_loop_that_becomes_long_is_dealt_and_a_long_one_that_becomes_short_is_not) {
  fork of;
  for (int round = 0; round < 3; ++round) {
    of.work = 10;
    for (int i = 0; i < 2; ++i) of.region(100'000, falling);
    EXPECT_EQ(of.region(100'000, falling), equal);
    of.work = 1e9;
    for (int i = 0; i < 2; ++i) of.region(100'000, falling);
    EXPECT_NEAR(static_cast<double>(of.region(100'000, falling)[2]), 50'000, 300);
  }
}

TEST(region_shares, one_that_was_long_once_because_a_member_was_stopped_is_not_dealt) {
  fork of;
  of.work = 10;
  for (int i = 0; i < 2; ++i) of.region(100'000, falling);
  of.work = 1e9;
  of.region(100'000, falling);
  EXPECT_TRUE(of.known->is_equal());
}

/// Its blocks take what their members are, whatever iterations they have: the first is the slow one.
ends region_of_slow_member(fork& of, double work) {
  EXPECT_TRUE(of.known->enter());
  dealt* const by = of.known->deal({&of.loop, nullptr, 100'000, 4, true, true});
  const ends found = fork::ends_of(*by);
  note_blocks(*by, [work](std::uint32_t m) { return work * (m == 0 ? 0.4 : 0.2); });
  of.known->leave(by, true);
  return found;
}

TEST(region_shares, a_small_gain_that_is_not_seen_is_not_believed) {
  fork of;
  const double work = 3 / 0.15 * static_cast<double>(price_of_deal());
  EXPECT_EQ(region_of_slow_member(of, work), equal) << "cold";
  EXPECT_EQ(region_of_slow_member(of, work), equal);
  for (int i = 0; i < 2; ++i) EXPECT_NE(region_of_slow_member(of, work), equal);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(region_of_slow_member(of, work), equal);
  EXPECT_TRUE(of.known->is_equal());
}

TEST(region_shares, a_small_gain_that_is_seen_stays) {
  fork of;
  of.work = work_that_gains(3 * static_cast<double>(price_of_deal()));
  for (int i = 0; i < 10; ++i) of.region(100'000, falling);
  EXPECT_NEAR(static_cast<double>(of.region(100'000, falling)[2]), 50'000, 500);
}

TEST(region_shares, a_loop_does_not_gain_what_many_others_of_its_region_pay) {
  for (const int others : {1, 100}) {
    fork of;
    of.work = work_that_gains(10 * static_cast<double>(price_of_deal()));
    for (int i = 0; i < 3; ++i) {
      ASSERT_TRUE(of.known->enter());
      dealt* const by = of.known->deal({&of.loop, nullptr, 100'000, 4, true, true});
      dealt* const balanced = of.known->deal({&of.loop, nullptr, 1'000, 4, true, true});
      fork::run(*by, falling, of.work);
      for (int other = 0; other < others; ++other) fork::run(*balanced, even, 1'000);
      by->next = balanced;
      of.known->leave(by, true);
    }
    EXPECT_EQ(of.known->is_equal(), others == 100);
  }
}

TEST(region_shares, where_iterations_are_too_few_to_be_dealt_otherwise_nothing_is_gained) {
  fork of;
  for (int i = 0; i < 3; ++i) EXPECT_EQ(of.region(4, even), (ends{1, 2, 3, 4}));
  EXPECT_TRUE(of.known->is_equal());
}

TEST(region_shares, what_members_of_other_regions_read_stands_until_something_is_learnt) {
  fork of;
  of.region(100'000, falling);
  ASSERT_TRUE(of.known->enter());
  dealt* const by = of.known->standing(100'000, 4);
  ASSERT_NE(by, nullptr);
  EXPECT_NEAR(static_cast<double>(by->block_of(2, 100'000).end), 50'000, 300);
  EXPECT_EQ(by->block_of(2, 100'000).end, by->block_of(3, 100'000).first);
  EXPECT_EQ(by->block_of(3, 100'000).end, 100'000U);
  of.region(100'000, falling, "a reason");
  EXPECT_EQ(of.known->standing(100'000, 4), by);
  EXPECT_TRUE(by->is_unequal());
  of.known->leave(nullptr, false);
}

TEST(region_shares, a_reason_that_is_found_where_members_read_holds_from_the_next_region_on) {
  fork of;
  of.region(100'000, falling);
  ASSERT_TRUE(of.known->enter());
  dealt* const by = of.known->standing(100'000, 4);
  of.known->keep(*by, "a reason");
  EXPECT_TRUE(of.known->standing(100'000, 4)->is_unequal()) << "this one goes on as it began";
  of.known->leave(nullptr, false);
  EXPECT_EQ(of.region(100'000, falling), equal);
  EXPECT_EQ(of.known->barred(), nullptr);
  EXPECT_TRUE(of.known->is_equal());
}

TEST(region_shares, a_reason_of_the_whole_region_is_one_of_all_that_members_read) {
  fork of;
  of.region(100'000, falling);
  of.region(1'000, falling);
  ASSERT_TRUE(of.known->enter());
  of.known->keep_all("a reason");
  of.known->leave(nullptr, false);
  EXPECT_TRUE(of.known->is_equal());
}

TEST(region_shares, given_ones_are_dealt_from_the_second_region_on) {
  fork of;
  of.loop.forced = schedules::parse_choice("nustatic:15,20,25,40").value;
  EXPECT_EQ(of.region(1'000, even), (ends{250, 500, 750, 1'000})) << "the first region shows what it relies on";
  EXPECT_EQ(of.region(1'000, even), (ends{150, 350, 600, 1'000}));
  EXPECT_EQ(of.region(200, even), (ends{30, 70, 120, 200}));
}

TEST(region_shares, given_ones_are_not_dealt_where_a_loop_has_kept_its_blocks_at_another_length) {
  fork of;
  of.loop.forced = schedules::parse_choice("nustatic:15,20,25,40").value;
  of.region(1'000, even, "a reason");
  EXPECT_EQ(of.region(200, even), (ends{50, 100, 150, 200}));
}

TEST(region_shares, given_by_the_loops_file_they_are_dealt_at_once) {
  fork of;
  of.loop.forced = schedules::parse_choice("nustatic:15,20,25,40").value;
  of.loop.by_rule = true;
  EXPECT_EQ(of.region(1'000, even), (ends{150, 350, 600, 1'000}));
}

TEST(region_shares, given_for_another_number_of_members_they_are_left) {
  fork of;
  of.loop.forced = schedules::parse_choice("nustatic:30,70").value;
  of.loop.by_rule = true;
  testing::internal::CaptureStderr();
  for (int i = 0; i < 3; ++i) EXPECT_EQ(of.region(100'000, even), equal);
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "steelyard: shares are given for 2 members and a team has 4; its loops get learnt ones\n");
}

TEST(region_shares, belong_to_a_body_wherever_it_is_forked) {
  site one;
  site copy;
  site other;
  const int bodies[2] = {};
  region_shares* const known = shares_of(one, &bodies[0]);
  EXPECT_EQ(shares_of(copy, &bodies[0]), known) << "a fork that the compiler has copied";
  EXPECT_NE(shares_of(other, &bodies[1]), known);
  EXPECT_EQ(shares_of(copy, &bodies[1]), shares_of(other, &bodies[1]))
      << "a fork that is a jump, out of another function";
  forget_bodies();
  site later;
  EXPECT_NE(shares_of(later, &bodies[0]), known) << "another object may lie there by now";
  EXPECT_EQ(shares_of(one, &bodies[0]), known);
}

/// Short loops, whose regions are seldom timed.
TEST(region_shares, regions_that_are_to_be_learnt_anew_are_timed) {
  fork of;
  const auto again = schedules::parse_choice("nustatic:at:7,9").value.again;
  of.known->learn_again_at(&again);
  std::vector<int> timed;
  for (int region = 1; region <= 12; ++region) {
    if (!is_timed(of)) continue;
    timed.push_back(region);
    ASSERT_TRUE(of.known->enter());
    dealt* const by = of.known->deal({&of.loop, nullptr, 100, 4, true, true});
    note_blocks(*by, [](std::uint32_t) { return 1; });
    of.known->leave(by, true);
  }
  EXPECT_EQ(timed, (std::vector<int>{1, 7, 9}));
}

TEST(region_shares,
     the_first_instance_of_a_short_loop_teaches_nothing_and_what_the_second_teaches_is_measured_at_once) {
  fork of;
  of.work = 100'000;
  const cost rising = [](double x) { return x * x; };
  EXPECT_EQ(of.region(100'000, rising), equal) << "as caches and pages are found";
  EXPECT_TRUE(is_timed(of));
  EXPECT_EQ(of.region(100'000, falling), equal);
  EXPECT_TRUE(is_timed(of));
  EXPECT_NEAR(static_cast<double>(of.region(100'000, falling)[2]), 50'000, 300);
  EXPECT_FALSE(is_timed(of));
}

TEST(region_shares, the_first_instance_of_a_short_loop_teaches_what_keeps_its_blocks) {
  fork of;
  of.work = 100'000;
  of.region(100'000, falling, "a reason");
  for (int i = 0; i < 4; ++i) EXPECT_EQ(of.region(100'000, falling), equal);
}

TEST(region_shares, what_is_doubted_again_and_again_is_not_measured_more_often_than_it_pays) {
  fork of;
  of.work = 100'000;
  const cost rising = [](double x) { return x * x; };
  int timed = 0;
  for (int region = 0; region < 300; ++region) {
    if (!is_timed(of, 6'000)) continue;
    of.region(100'000, ++timed % 2 == 0 ? falling : rising);
  }
  EXPECT_LT(timed, 20);
}

/// A loop under jit, of a team of four, whose last member comes so late.
class chosen_loop {
 public:
  explicit chosen_loop(bool in_chunks) : in_chunks_(in_chunks) {}

  /// A region of it; what was dealt. `ticks`: of all members together, by chunks a half.
  chosen region(double ticks, std::uint64_t late, bool timed = true, std::uint32_t members = 4,
                const char* keeps = nullptr) {
    EXPECT_TRUE(known->enter());
    dealt* const by = known->deal({&loop, in_chunks_ ? &loop : nullptr, iterations, members, timed, true, true});
    const chosen how = by->how;
    blocks = fork::ends_of(*by);
    if (timed) run(*by, ticks, late);
    if (keeps != nullptr) by->keeps.set(keeps);
    known->leave(by, timed);
    return how;
  }

  std::uint64_t iterations = 1'000;
  std::unique_ptr<region_shares> known = std::make_unique<region_shares>();
  site loop;
  ends blocks;  ///< of the last region

 private:
  static void run(dealt& by, double ticks, std::uint64_t late) {
    const auto all = static_cast<double>(by.iterations);
    const ends until = fork::ends_of(by);
    for (std::uint32_t m = 0; m < by.members; ++m) {
      const std::uint64_t count = until[m] - (m != 0 ? until[m - 1] : 0);
      const double part = by.how.is_handed_out() ? 0.5 / by.members : static_cast<double>(count) / all;
      by.of(m).began.set(1'000'000 + (m + 1 == by.members ? late : 0));
      note_block(by, m, part * ticks);
    }
  }

  bool in_chunks_;
};

const ends for_one{1'000, 1'000, 1'000, 1'000};
const ends for_each{250, 500, 750, 1'000};

TEST(region_shares, under_jit_a_loop_that_is_too_short_is_for_one_member) {
  for (const bool in_chunks : {false, true}) {
    chosen_loop of(in_chunks);
    for (int i = 0; i < 5; ++i) of.region(800, 100'000);
    EXPECT_EQ(of.region(800, 100'000).number, learn::ways::alone);
    EXPECT_EQ(of.blocks, for_one);
    EXPECT_FALSE(of.known->is_equal());
    of.region(0, 0, false);
    EXPECT_EQ(of.blocks, for_one) << "where it is not timed, too";
  }
}

TEST(region_shares, under_jit_chunks_are_for_loops_that_have_them) {
  for (const bool in_chunks : {false, true}) {
    chosen_loop of(in_chunks);
    for (int i = 0; i < 5; ++i) of.region(1e8, 100);
    EXPECT_EQ(of.region(1e8, 100).is_handed_out(), in_chunks);
    EXPECT_EQ(of.known->is_equal(), !in_chunks);
    EXPECT_EQ(of.region(0, 0, false).is_handed_out(), in_chunks) << "where it is not timed, too";
  }
}

TEST(region_shares, under_jit_ways_are_tried_where_no_trip_count_comes_twice) {
  chosen_loop of(true);
  for (int i = 0; i < 6; ++i) {
    of.region(1e8, 100);
    of.iterations -= 7;
  }
  EXPECT_TRUE(of.region(1e8, 100).is_handed_out());
}

TEST(region_shares, under_jit_nothing_is_tried_in_regions_that_are_not_timed) {
  chosen_loop of(true);
  while (!of.region(1e8, 100).is_handed_out()) EXPECT_EQ(of.region(0, 0, false).number, learn::ways::shares);
}

TEST(region_shares, under_jit_what_is_to_keep_its_blocks_keeps_them) {
  chosen_loop of(false);
  for (int i = 0; i < 5; ++i) of.region(800, 100'000);
  of.region(800, 100'000, true, 4, "a reason");
  for (int i = 0; i < 3; ++i) {
    of.region(800, 100'000);
    EXPECT_EQ(of.blocks, for_each);
  }
}

TEST(region_shares, under_jit_another_team_begins_anew) {
  chosen_loop of(false);
  for (int i = 0; i < 5; ++i) of.region(800, 100'000);
  EXPECT_EQ(of.region(800, 100'000, true, 3).number, learn::ways::shares);
  EXPECT_EQ(of.blocks, (ends{333, 666, 1'000}));
}

/// A member that is kept from its core, or another phase: the next timed region has its cut, and all between keep theirs.
TEST(region_shares, what_may_be_another_phase_is_tried_by_timed_regions_only) {
  fork of(2);
  const cost rising = [](double x) { return x * x; };
  for (int i = 0; i < 4; ++i) of.region(100'000, falling);
  const ends sure = of.unseen_region(100'000);
  EXPECT_NEAR(static_cast<double>(sure[0]), 29'289, 300);
  of.region(100'000, rising);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(of.unseen_region(100'000), sure);
  EXPECT_NE(of.region(100'000, rising), sure) << "it is tried";
  for (int i = 0; i < 3; ++i) of.region(100'000, rising);
  EXPECT_NEAR(static_cast<double>(of.unseen_region(100'000)[0]), 70'711, 1'500) << "it was one";
}

TEST(region_shares, a_disturbed_region_changes_nothing_of_those_that_follow) {
  fork of(2);
  for (int i = 0; i < 4; ++i) of.region(100'000, falling);
  const ends sure = of.unseen_region(100'000);
  EXPECT_TRUE(of.known->enter());
  dealt* const by = of.known->deal({&of.loop, nullptr, 100'000, 2, true, true});
  note_blocks(*by, [](std::uint32_t m) { return m == 0 ? 3e9 : 5e8; });
  of.known->leave(by, true);
  EXPECT_EQ(of.unseen_region(100'000), sure);
  of.region(100'000, falling);
  EXPECT_EQ(of.unseen_region(100'000), sure);
}

/// Short ones; a long one pays for being timed at once.
TEST(region_shares, regions_whose_loops_all_keep_their_blocks_are_timed_ever_more_rarely) {
  for (const bool short_ones : {true, false}) {
    fork of;
    int timed = 0;
    for (int region = 0; region < 1'000; ++region) {
      if (!is_timed(of, 1)) continue;
      ++timed;
      EXPECT_TRUE(of.known->enter());
      dealt* const by = of.known->deal({&of.loop, nullptr, 100, 4, true, true});
      const std::uint64_t ticks = short_ones ? 100 : std::uint64_t{1} << 40;
      note_blocks(*by, [ticks](std::uint32_t) { return ticks; });
      by->keeps.set("a reduction follows");
      of.known->leave(by, true, ticks);
    }
    if (short_ones) {
      EXPECT_LE(timed, 11);
    } else {
      EXPECT_GT(timed, 900);
    }
  }
}

TEST(region_shares, timing_is_rare_where_loops_are_short) {
  fork of;
  const auto regions_until_timed = [&](std::uint64_t ticks) {
    EXPECT_TRUE(of.known->enter());
    dealt* const by = of.known->deal({&of.loop, nullptr, 100, 4, true, true});
    note_blocks(*by, [ticks](std::uint32_t) { return ticks; });
    of.known->leave(by, true);
    int regions = 1;
    while (!is_timed(of, ticks)) ++regions;
    return regions;
  };
  EXPECT_GT(regions_until_timed(1'000), 5) << "two readings are a tenth of such a loop";
  EXPECT_EQ(regions_until_timed(std::uint64_t{1} << 40), 1);
}

/// The numbers of the regions that are timed, where there is no loop to deal. Of the others some are skipped, up to so many at once.
std::vector<int> timed_regions(std::uint32_t skipped_at_once) {
  fork of;
  std::vector<int> timed;
  for (int region = 1; region <= 1'000; ++region) {
    if (is_timed(of)) {
      timed.push_back(region);
      EXPECT_TRUE(of.known->enter());
      of.known->leave(nullptr, true);
    }
    region += static_cast<int>(of.known->skip(skipped_at_once));
  }
  return timed;
}

TEST(region_shares, regions_that_are_skipped_count_as_others) {
  const auto none_skipped = timed_regions(0);
  EXPECT_GT(none_skipped.size(), 5U);
  for (const std::uint32_t at_once : {1U, 5U, 256U}) EXPECT_EQ(timed_regions(at_once), none_skipped) << at_once;
}

TEST(region_shares, none_is_skipped_where_some_are_learnt_anew) {
  fork of;
  of.work = 1000;
  for (int i = 0; i < 3; ++i) of.region(100, even);
  EXPECT_NE(of.known->skip(1), 0U);
  const auto again = schedules::parse_choice("nustatic:every:1000").value.again;
  of.known->learn_again_at(&again);
  EXPECT_EQ(of.known->skip(1), 0U);
}

TEST(region_shares, regions_without_a_loop_to_deal_are_timed_more_and_more_seldom) {
  fork of;
  std::vector<int> timed;
  for (int region = 1; region <= 30; ++region) {
    if (!is_timed(of)) continue;
    timed.push_back(region);
    ASSERT_TRUE(of.known->enter());
    of.known->leave(nullptr, true);
  }
  EXPECT_EQ(timed, (std::vector<int>{1, 3, 7, 15}));
}

}  // namespace
}  // namespace steelyard::openmp
