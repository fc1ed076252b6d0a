// SPDX-License-Identifier: Apache-2.0
#include "schedules/random.hpp"

#include <algorithm>

#include "loop_run.hpp"

namespace steelyard::schedules::testing {
namespace {

TEST(random, asks_every_member_before_it_leaves) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    loop_run run("random", {1, 17, 0, seed});  // member 0's block holds the only iteration
    EXPECT_EQ(run.next(9), (step{0, 1, 1})) << seed;
    EXPECT_EQ(run.counts(9).steals, 1U);
  }
}

TEST(random, draws_other_victims_with_another_seed) {
  std::vector<std::uint64_t> first_loot;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    loop_run run("random", {1700, 17, 100, seed});
    run.next(0);
    first_loot.push_back(run.next(0).first);
  }
  std::sort(first_loot.begin(), first_loot.end());
  EXPECT_GT(std::unique(first_loot.begin(), first_loot.end()) - first_loot.begin(), 5);
}

TEST(random, draws_every_other_member_equally_often) {
  std::vector<int> times(5, 0);
  std::uint64_t state = 1;
  for (int i = 0; i < 4000; ++i) ++times[ask::random<1>::choose(2, 5, state, [](member) { return 1U; })];
  EXPECT_EQ(times[2], 0);
  for (const member m : {0U, 1U, 3U, 4U}) EXPECT_NEAR(times[m], 1000, 120) << m;
}

}  // namespace
}  // namespace steelyard::schedules::testing
