// SPDX-License-Identifier: Apache-2.0
#include "learn/ways.hpp"

#include <gtest/gtest.h>

namespace steelyard::learn {
namespace {

ways::facts long_loop(std::uint32_t members) {
  ways::facts known;
  known.iterations = 100'000;
  known.members = members;
  known.rate = 100 * 1024;
  known.together = 10'000'000;
  known.even = 2000;
  known.fixed_fetch = 100;
  known.guided_fetch = 200;
  return known;
}

TEST(ways, of_a_long_loop_one_member_or_half_of_them_cannot_win) {
  for (const std::uint32_t members : {2U, 3U, 4U, 64U}) {
    const auto all = ways::of(long_loop(members));
    const auto best = 10'000'000U / members;
    EXPECT_GE(all.least[ways::alone], best) << members;
    EXPECT_GE(all.least[ways::half], best) << members;
    EXPECT_LT(all.least[ways::fixed], best) << members;
    EXPECT_LT(all.least[ways::guided], best) << members;
  }
}

TEST(ways, of_a_short_loop_all_may_win) {
  auto known = long_loop(4);
  known.together = 100'000;
  for (const auto least : ways::of(known).least) EXPECT_EQ(least, 0U);
}

TEST(ways, half_the_members_may_win_where_one_takes_no_longer_than_they) {
  auto known = long_loop(8);
  known.alone = 4'000'000;
  EXPECT_LT(ways::of(known).least[ways::half], 10'000'000U / 8);
}

TEST(ways, guided_cannot_win_where_the_first_block_is_dear) {
  auto known = long_loop(2);
  known.first_block = 7'500'000;
  EXPECT_GE(ways::of(known).least[ways::guided], 5'000'000U);
  known.first_block = 5'000'000;
  EXPECT_LT(ways::of(known).least[ways::guided], 5'000'000U);
}

TEST(ways, chunks_follow_from_what_fetches_cost) {
  const auto all = ways::of(long_loop(2));
  EXPECT_EQ(all.all[ways::fixed].chunk, 20U);
  EXPECT_EQ(all.all[ways::guided].chunk, 40U);
}

TEST(ways, some_are_none_of_few_members_or_iterations) {
  auto known = long_loop(2);
  known.iterations = 2;
  const auto all = ways::of(known);
  EXPECT_EQ(all.least[ways::half], chooser::never);
  EXPECT_EQ(all.least[ways::fixed], chooser::never);
  EXPECT_EQ(all.least[ways::guided], chooser::never);
}

}  // namespace
}  // namespace steelyard::learn
