// SPDX-License-Identifier: Apache-2.0
#include "schedules/deal.hpp"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

namespace steelyard::schedules {
namespace {

TEST(range, packs_both_ends_in_a_word) {
  const range r(3, 0xffffffff);
  EXPECT_EQ(r.word(), 0xffffffff'00000003U);
  EXPECT_EQ(range::from(r.word()), r);
  EXPECT_EQ(range(2, 10).front(3), range(2, 5));
  EXPECT_EQ(range(2, 10).without_front(3), range(5, 10));
  EXPECT_EQ(range(2, 10).back(3), range(7, 10));
  EXPECT_EQ(range(2, 10).without_back(3), range(2, 7));
  EXPECT_TRUE(range(5, 5).empty());
}

TEST(units, are_as_small_as_a_word_allows) {
  EXPECT_EQ(units((1ULL << 32) - 1).shift(), 0U);
  EXPECT_EQ(units(1ULL << 32).shift(), 1U);
  EXPECT_EQ(units((1ULL << 63) - 1).shift(), 32U);
  EXPECT_EQ(units(~0ULL).shift(), 33U);
  EXPECT_EQ(units(~0ULL).count(), 1U << 31);
}

TEST(units, clip_the_last_one) {
  const units odd((1ULL << 32) + 1);  // units of 2
  EXPECT_EQ(odd.count(), (1U << 31) + 1);
  EXPECT_EQ(odd.run((1U << 31) - 1, 2), (step{(1ULL << 32) - 2, 3, 1}));
  EXPECT_EQ(odd.run(0, 2), (step{0, 4, 1}));
  EXPECT_EQ(units(~0ULL).run(0, 1U << 31), (step{0, ~0ULL, 1}));
  EXPECT_EQ(odd.holding(1), 1U);
  EXPECT_EQ(odd.holding(3), 2U);
  EXPECT_EQ(odd.holding(~0ULL), units::most);
}

TEST(equal_ends, are_where_the_blocks_end) {
  std::vector<std::uint64_t> ends(4);
  deal::equal_ends(10, 4, ends.data());
  EXPECT_EQ(ends, (std::vector<std::uint64_t>{3, 6, 8, 10}));
  deal::equal_ends(2, 4, ends.data());
  EXPECT_EQ(ends, (std::vector<std::uint64_t>{1, 2, 2, 2}));
  deal::equal_ends(~0ULL, 4, ends.data());
  EXPECT_EQ(ends.back(), ~0ULL);
}

TEST(shares, end_where_somebody_says) {
  const std::vector<std::uint64_t> ends{0, 7, 7, 20};
  const deal::shares deal({10, 4, 0, 0}, 1);
  EXPECT_EQ(deal.share(0, ends.data()), range(0, 0));
  EXPECT_EQ(deal.share(1, ends.data()), range(0, 7));
  EXPECT_EQ(deal.share(2, ends.data()), range(7, 7));
  EXPECT_EQ(deal.share(3, ends.data()), range(7, 10)) << "nothing behind the loop";
  EXPECT_EQ(deal.share(1), range(3, 6)) << "equal blocks where nobody does";
  const std::vector<std::uint64_t> far{1ULL << 33, 1ULL << 34};
  const deal::shares large({1ULL << 34, 2, 0, 0}, 1);
  EXPECT_EQ(large.iterations(large.share(0, far.data())), 1ULL << 33);
  EXPECT_EQ(large.iterations(large.share(1, far.data())), 1ULL << 33);
}

/// The initial lists of section 3.1's example: N = 10, T = 3.
TEST(cyclic_deal, lists_what_the_paper_lists) {
  const deal::cyclic deal({10, 3, 0, 0}, 1);
  const std::vector<step> lists{{0, 4, 3}, {1, 3, 3}, {2, 3, 3}};
  for (member m = 0; m < 3; ++m) {
    auto share = deal.share(m);
    EXPECT_EQ(deal.cut(share), lists[m]);
    EXPECT_TRUE(share.empty());
  }
}

TEST(cyclic_deal, knows_where_a_unit_is) {
  for (const std::uint64_t n : {1ULL, 10ULL, 1000ULL, (1ULL << 36) + 3}) {
    for (const bool contiguous : {false, true}) {
      const deal::cyclic deal({n, 3, 0, 0, {.contiguous = contiguous}}, 7);
      for (std::uint32_t unit = 0; unit < std::min(deal.unit.count(), 2000U); ++unit) {
        const auto position = deal.position(unit);
        ASSERT_LT(position, deal.positions());
        range alone(position, position + 1);
        ASSERT_EQ(deal.cut(alone).first, std::uint64_t{unit} << deal.unit.shift()) << n;
      }
    }
  }
}

TEST(cyclic_deal, keeps_lists_of_all_members_apart) {
  for (const std::uint64_t n : {1ULL, 1000ULL, (1ULL << 32) - 1, 1ULL << 33, ~0ULL}) {
    for (const std::uint32_t members : {1U, 3U, 17U, max_members}) {
      for (const std::uint64_t reservation : {1ULL, 1000ULL, ~0ULL}) {
        const deal::cyclic deal({n, members, 0, 0, {.contiguous = true}}, reservation);
        std::uint64_t sum = 0;
        std::uint32_t before = 0;
        for (member m = 0; m < members; ++m) {
          const auto share = deal.share(m);
          ASSERT_LE(before, share.begin());
          ASSERT_LE(share.begin(), share.end());
          before = share.end();
          sum += deal.iterations(share);
        }
        EXPECT_EQ(sum, n) << n << " " << members << " " << reservation;
      }
    }
  }
}

}  // namespace
}  // namespace steelyard::schedules
