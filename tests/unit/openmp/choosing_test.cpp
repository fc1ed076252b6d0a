// SPDX-License-Identifier: Apache-2.0
#include "openmp/shares/choosing.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "schedules/deal.hpp"

namespace steelyard::openmp {
namespace {

using learn::ways;

/// A loop of a team, in virtual time: what a member takes in each way is the test's affair.
class loop {
 public:
  loop(std::uint32_t members, std::uint64_t n, bool in_chunks) : members_(members), n_(n), in_chunks_(in_chunks) {}

  double work = 1e6;       ///< ticks of all members together
  std::uint64_t late = 0;  ///< of the last member
  std::function<double(double)> spread = [](double x) { return x; };
  std::function<double(const chosen&)> adds = [](const chosen&) { return 1.0; };  ///< how much longer it takes that way

  /// What the team took.
  void run(const chosen& how, double disturbed = 0) {
    std::vector<std::uint64_t> ends(members_);
    const bool unequal = blocks_of(how, &shares, n_, members_, ends.data());
    if (!unequal) schedules::deal::equal_ends(n_, members_, ends.data());
    std::vector<std::uint64_t> took(members_);
    const auto at = [&](std::uint64_t i) { return spread(static_cast<double>(i) / static_cast<double>(n_)); };
    for (std::uint32_t m = 0; m < members_; ++m) {
      const double part = how.is_handed_out() ? 1.0 / members_ : at(ends[m]) - (m != 0 ? at(ends[m - 1]) : 0);
      took[m] = static_cast<std::uint64_t>(part * work * adds(how) + (m == 0 ? disturbed : 0));
    }
    const auto some = members_with_blocks(how, members_);
    const bool learns = some > 1 && !how.is_handed_out();
    const bool anew = learns && shares.learn(n_, some, ends.data(), took.data());
    ++instances;
    known->learn({how, n_, members_, took.data(), late, in_chunks_, !unequal && !how.is_handed_out(), &shares, anew});
  }
  /// An instance that is timed.
  std::uint32_t run() {
    const chosen how = known->trial();
    run(how);
    return how.number;
  }
  /// How many until it is settled.
  int settle() {
    while (!known->is_settled() && instances < 100) run();
    return instances;
  }

  learn::shares shares;
  int instances = 0;  ///< that have run
  std::unique_ptr<choosing> known = std::make_unique<choosing>();

 private:
  std::uint32_t members_;
  std::uint64_t n_;
  bool in_chunks_;
};

const std::function<double(double)> falling = [](double x) { return 1 - (1 - x) * (1 - x); };

TEST(choosing, a_long_static_loop_has_learnt_shares) {
  for (const std::uint32_t members : {2U, 4U, 16U}) {
    loop of(members, 100'000, false);
    of.spread = falling;
    of.late = 100;
    EXPECT_LE(of.settle(), 5) << members;
    EXPECT_EQ(of.known->usual().number, ways::shares) << members;
    EXPECT_STREQ(of.known->usual().name(), "learnt shares");
    EXPECT_EQ(of.known->usual().reason(), nullptr);
  }
}

TEST(choosing, a_balanced_loop_is_settled_at_once) {
  loop of(4, 100'000, false);
  EXPECT_EQ(of.settle(), 1);
  EXPECT_EQ(of.known->usual().number, ways::shares);
}

TEST(choosing, a_loop_that_is_over_long_before_the_last_member_comes_is_for_one) {
  for (const bool in_chunks : {false, true}) {
    for (const std::uint32_t members : {2U, 4U, 16U}) {
      loop of(members, 1000, in_chunks);
      of.work = 900;
      of.late = 50'000;
      EXPECT_LE(of.settle(), 5) << members;
      EXPECT_EQ(of.known->usual().number, ways::alone) << members;
      EXPECT_STREQ(of.known->usual().name(), "one member");
      EXPECT_STREQ(of.known->usual().reason(), "too short to share");
    }
  }
}

TEST(choosing, it_is_settled_after_five_instances_whatever_they_are) {
  for (const double work : {1e2, 1e3, 1e4, 1e5, 1e6, 1e8}) {
    for (const std::uint64_t late : {0, 100, 10'000, 1'000'000}) {
      for (const std::uint32_t members : {2U, 3U, 16U}) {
        loop of(members, 1000, true);
        of.work = work;
        of.late = late;
        of.spread = falling;
        EXPECT_LE(of.settle(), 5) << work << " " << late << " " << members;
      }
    }
  }
}

TEST(choosing, members_that_come_late_once_had_to_be_made) {
  loop of(2, 1000, false);
  of.late = 1'000'000;
  of.work = 100'000;
  of.run();
  EXPECT_EQ(of.known->usual().number, ways::shares);
  of.late = 200;
  of.settle();
  EXPECT_EQ(of.known->usual().number, ways::shares);
}

TEST(choosing, when_they_come_in_time_again_it_is_shared_again) {
  loop of(2, 1000, false);
  of.work = 900;
  of.late = 50'000;
  of.settle();
  EXPECT_EQ(of.known->usual().number, ways::alone);
  of.late = 100;
  int instances = 0;
  while (of.known->usual().number == ways::alone && instances < 100) {
    of.run();
    ++instances;
  }
  EXPECT_LE(instances, 10);
}

TEST(choosing, a_short_loop_to_which_sharing_adds_is_for_fewer) {
  loop of(8, 1000, false);
  of.work = 20'000;
  of.late = 5000;
  of.adds = [](const chosen& how) { return how.number == ways::shares ? 8.0 : 1.0; };
  EXPECT_LE(of.settle(), 5);
  EXPECT_EQ(of.known->usual().number, ways::half) << "a quarter of the work by each of four";
}

TEST(choosing, of_a_loop_that_is_long_one_member_is_not_even_tried) {
  loop of(4, 100'000, false);
  of.spread = falling;
  of.late = 1000;
  for (int i = 0; i < 1000; ++i) {
    const auto ran = of.run();
    EXPECT_TRUE(ran == ways::shares || ran == choosing::equal) << ran;
  }
}

TEST(choosing, a_static_loop_is_never_handed_out) {
  loop of(4, 1000, false);
  of.work = 10'000;
  of.late = 1000;
  of.adds = [](const chosen& how) { return how.is_handed_out() ? 0.1 : 1.0; };
  for (int i = 0; i < 1000; ++i) {
    of.run();
    EXPECT_FALSE(of.known->trial().is_handed_out());
  }
}

TEST(choosing, one_that_may_be_handed_out_is_where_that_is_faster) {
  loop of(4, 100'000, true);
  of.adds = [](const chosen& how) { return how.number == ways::fixed ? 0.5 : 1.0; };
  EXPECT_LE(of.settle(), 5);
  EXPECT_EQ(of.known->usual().number, ways::fixed);
  EXPECT_STREQ(of.known->usual().name(), "dynamic");
  EXPECT_STREQ(of.known->usual().reason(), "faster than one block for each member");
  EXPECT_GE(of.known->usual().way.chunk, 1U);
  EXPECT_LE(of.known->usual().way.chunk, 100'000U / 4 / 16);
}

TEST(choosing, equal_blocks_stay_where_other_ones_take_longer) {
  loop of(2, 100'000, false);
  of.spread = falling;
  // As where memory is near to who has touched it first.
  of.adds = [&of](const chosen& how) { return of.instances == 0 || how.number == choosing::equal ? 1.0 : 3.0; };
  for (int i = 0; i < 400; ++i) of.run();
  EXPECT_EQ(of.known->usual().number, choosing::equal);
  EXPECT_STREQ(of.known->usual().name(), "equal blocks");
  EXPECT_STREQ(of.known->usual().reason(), "learnt shares were no faster");
}

TEST(choosing, shares_that_were_disturbed_once_stay) {
  loop of(2, 100'000, false);
  of.spread = falling;
  of.run();
  of.run(of.known->trial(), 1e8);
  for (int i = 0; i < 400; ++i) {
    of.run();
    EXPECT_EQ(of.known->usual().number, ways::shares);
  }
}

TEST(choosing, between_timed_instances_nothing_is_tried) {
  loop of(4, 1000, true);
  of.work = 900;
  of.late = 50'000;
  for (int i = 0; i < 100; ++i) {
    const bool settled = of.known->is_settled();
    if (!settled) {
      EXPECT_EQ(of.known->usual().number, ways::shares);
    }
    of.run();
  }
}

TEST(choosing, a_member_that_is_stopped_once_changes_nothing_for_long) {
  loop of(2, 100'000, false);
  of.spread = falling;
  of.settle();
  of.run(of.known->trial(), 1e8);
  of.run();
  EXPECT_EQ(of.known->usual().number, ways::shares);
  EXPECT_EQ(of.run(), ways::shares);
}

TEST(choosing, more_iterations_than_were_seen_are_not_for_one) {
  loop of(2, 1000, false);
  of.work = 900;
  of.late = 50'000;
  of.settle();
  EXPECT_EQ(of.known->alike(false, 500, 2).number, ways::alone);
  EXPECT_EQ(of.known->alike(false, 5000, 2).number, ways::shares);
  EXPECT_EQ(of.known->alike(true, 500, 3).number, ways::shares) << "another team";
}

TEST(choosing, blocks_of_one_and_of_half_are_the_first_members) {
  std::vector<std::uint64_t> ends(4);
  EXPECT_TRUE(blocks_of({ways::alone, {learn::way::kind::alone, 1, 0}}, nullptr, 10, 4, ends.data()));
  EXPECT_EQ(ends, (std::vector<std::uint64_t>{10, 10, 10, 10}));
  EXPECT_TRUE(blocks_of({ways::half, {learn::way::kind::shares, 2, 0}}, nullptr, 11, 4, ends.data()));
  EXPECT_EQ(ends, (std::vector<std::uint64_t>{6, 11, 11, 11}));
  EXPECT_FALSE(blocks_of({ways::shares, {learn::way::kind::shares, 4, 0}}, nullptr, 10, 4, ends.data()));
  EXPECT_FALSE(blocks_of({ways::fixed, {learn::way::kind::fixed, 4, 2}}, nullptr, 10, 4, ends.data()));
}

}  // namespace
}  // namespace steelyard::openmp
