// SPDX-License-Identifier: Apache-2.0
#include "limit.hpp"

#include <gtest/gtest.h>

namespace {

double limit_seconds(std::vector<double> blocks, unsigned members) { return idws::limit_of(blocks, members).seconds; }

TEST(Limit, IsTheWorkSharedOut) { EXPECT_DOUBLE_EQ(limit_seconds({1, 1, 1, 1, 1, 1}, 2), 3); }
TEST(Limit, IsTheDearestBlock) { EXPECT_DOUBLE_EQ(limit_seconds({1, 1, 7, 1}, 2), 7); }
TEST(Limit, IsTheTwoBlocksThatShareAMember) { EXPECT_DOUBLE_EQ(limit_seconds({3, 3, 3}, 2), 6); }
TEST(Limit, OfFewerBlocksThanMembers) { EXPECT_DOUBLE_EQ(limit_seconds({2, 5}, 4), 5); }
TEST(Limit, OfNothing) { EXPECT_DOUBLE_EQ(limit_seconds({}, 4), 0); }

TEST(Limit, SaysWhatIsDivisible) {
  std::vector<double> blocks{1, 1, 8};
  EXPECT_DOUBLE_EQ(idws::limit_of(blocks, 2).divisible, 5);
}

TEST(BlockTimedLoop, RunsEachIterationOnce) {
  for (const std::int64_t n : {0, 1, 31, 32, 33, 4096 * 32, 4096 * 32 + 1, 1000003}) {
    std::int64_t next = 0;
    idws::block_timed_loop loop(2);
    loop(n, [&](std::int64_t i) { next += i == next ? 1 : 0; });
    EXPECT_EQ(next, n);
    EXPECT_GE(loop.taken().seconds, 0);
    EXPECT_EQ(loop.taken().seconds, 0);  // begins anew
  }
}

}  // namespace
