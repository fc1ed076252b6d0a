// SPDX-License-Identifier: Apache-2.0
#include "schedules/jit.hpp"

#include <array>

#include "loop_run.hpp"

namespace steelyard::schedules::testing {
namespace {

TEST(jit, where_nobody_chooses_it_deals_shares) {
  const std::array<std::uint64_t, 2> ends{70, 100};
  shape loop{100, 2};
  loop.known.ends = ends.data();
  loop.front_end.all_arrive = true;
  loop_run run("jit", loop);
  EXPECT_EQ(run.next(1), (step{70, 30, 1}));
  EXPECT_EQ(run.next(0), (step{0, 70, 1}));
}

TEST(jit, says_that_the_front_end_chooses) { EXPECT_EQ(find("jit")->about.learns, learning::ways); }

}  // namespace
}  // namespace steelyard::schedules::testing
