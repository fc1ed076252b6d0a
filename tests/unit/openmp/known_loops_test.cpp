// SPDX-License-Identifier: Apache-2.0
#include "openmp/shares/known_loops.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "openmp/shares/learning.hpp"
#include "timed_blocks.hpp"

namespace steelyard::openmp {
namespace {

using ends = std::vector<std::uint64_t>;

constexpr std::uint32_t members = 2;

/// Loops of which a block of the second half costs so many times as much as one of the first.
class loops {
 public:
  /// A region that was timed had one in equal blocks.
  void learn(site& first, std::uint64_t iterations, std::uint64_t dearer, std::uint32_t team = members) {
    dealt* const by = dealt::make(team, true, true);
    by->first = &first;
    by->iterations = iterations;
    note_blocks(*by, [=](std::uint32_t m) { return 1'000'000 * (2 * m < team ? 1 : dearer); });
    static_loops* const of = known->find_or_make(*by);
    ASSERT_NE(of, nullptr);
    of->last_used = ++regions_;
    learn_from(*by, *of, {});
    known->settle(0, 0);
    dealt::give_back(by);
  }
  /// Where the blocks of one end that is read; none: equal blocks.
  ends read(std::uint64_t iterations) const {
    const dealt* const by = known->standing(iterations, members);
    if (by == nullptr) return {0};
    if (!by->is_unequal()) return {};
    EXPECT_EQ(by->block_of(0, iterations).first, 0U);
    EXPECT_EQ(by->block_of(0, iterations).end, by->block_of(1, iterations).first);
    return {by->block_of(0, iterations).end, by->block_of(1, iterations).end};
  }

  std::unique_ptr<known_loops> known = std::make_unique<known_loops>();

 private:
  std::uint64_t regions_ = 0;
};

const ends nobody_knows{0};

TEST(known_loops, where_nothing_is_known_members_have_to_agree) {
  const loops of;
  EXPECT_EQ(of.read(1000), nobody_knows);
}

TEST(known_loops, each_trip_count_has_its_own) {
  site at;
  loops of;
  of.learn(at, 1000, 3);
  of.learn(at, 1001, 1);
  EXPECT_EQ(of.read(1001), ends{});
  const ends found = of.read(1000);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_GT(found[0], 600U);
  EXPECT_EQ(found[1], 1000U);
}

TEST(known_loops, another_trip_count_has_the_same_parts) {
  site at;
  loops of;
  of.learn(at, 1000, 3);
  const double part = static_cast<double>(of.read(1000)[0]) / 1000;
  for (const std::uint64_t n : {2UL, 3UL, 7UL, 999UL, 1'000'000'007UL, ~0UL}) {
    const ends found = of.read(n);
    ASSERT_EQ(found.size(), 2U) << n;
    EXPECT_NEAR(static_cast<double>(found[0]) / static_cast<double>(n), part, 0.5 / static_cast<double>(n) + 0.001)
        << n;
    EXPECT_EQ(found[1], n);
  }
}

TEST(known_loops, another_trip_count_begins_with_one_of_about_as_many_iterations) {
  site at;
  loops of;
  of.learn(at, 1000, 3);
  of.learn(at, 10, 1);
  EXPECT_EQ(of.read(11), ends{});
  EXPECT_EQ(of.read(900).size(), 2U);
  EXPECT_EQ(of.read(100'000), ends{}) << "that which was used last";
}

TEST(known_loops, of_two_places_a_new_trip_count_may_be_any) {
  site one;
  site other;
  loops of;
  of.learn(one, 1000, 3);
  of.learn(other, 500, 1);
  EXPECT_EQ(of.read(999), nobody_knows);
  EXPECT_EQ(of.read(500), ends{});
  EXPECT_EQ(of.read(1000).size(), 2U);
}

TEST(known_loops, a_trip_count_of_two_places_is_that_which_was_used_last) {
  site one;
  site other;
  loops of;
  of.learn(one, 1000, 3);
  of.learn(other, 1000, 1);
  EXPECT_EQ(of.read(1000), ends{});
  of.learn(one, 1000, 3);
  EXPECT_EQ(of.read(1000).size(), 2U);
}

TEST(known_loops, a_team_of_another_size_has_to_agree) {
  site at;
  loops of;
  of.learn(at, 1000, 3, 4);
  EXPECT_EQ(of.known->standing(1000, 2), nullptr);
  EXPECT_NE(of.known->standing(1000, 4), nullptr);
  of.learn(at, 500, 1, 4);
  EXPECT_NE(of.known->standing(500, 2), nullptr) << "equal blocks are of any team";
}

TEST(known_loops, more_than_can_be_kept_are_still_read) {
  site at;
  loops of;
  for (std::uint64_t n = 1'000; n < 1'200; ++n) of.learn(at, n, 3);
  for (std::uint64_t n = 1'000; n < 1'200; ++n) EXPECT_EQ(of.read(n).size(), 2U) << n;
  std::uint32_t count = 0;
  for (const static_loops* each = of.known->newest(); each != nullptr; each = each->next) ++count;
  EXPECT_EQ(count, known_loops::most);
}

TEST(known_loops, what_gains_less_than_the_price_is_left) {
  site at;
  loops of;
  of.learn(at, 1000, 3);
  EXPECT_TRUE(of.known->settle(400'000, 0));
  EXPECT_EQ(of.read(1000).size(), 2U);
  EXPECT_FALSE(of.known->settle(2'000'000, 0));
  EXPECT_EQ(of.read(1000), ends{});
  EXPECT_TRUE(of.known->newest()->is_too_short());
}

TEST(known_loops, what_a_region_pays_beside_its_loops_is_to_be_gained_too) {
  site at;
  loops of;
  of.learn(at, 1000, 3);
  EXPECT_TRUE(of.known->settle(1, 400'000));
  EXPECT_FALSE(of.known->settle(1, 2'000'000));
  EXPECT_EQ(of.read(1000), ends{});
}

TEST(known_loops, a_place_is_a_part_of_any_trip_count) {
  EXPECT_EQ(place_of(0, 1000), 0U);
  EXPECT_EQ(place_of(whole, ~std::uint64_t{0}), ~std::uint64_t{0});
  EXPECT_EQ(place_of(whole / 4, 1000), 250U);
  EXPECT_EQ(place_of(whole / 2, 11), 6U);
}

}  // namespace
}  // namespace steelyard::openmp
