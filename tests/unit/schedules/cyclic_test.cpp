// SPDX-License-Identifier: Apache-2.0
#include "schedules/cyclic.hpp"

#include "loop_run.hpp"

namespace steelyard::schedules::testing {
namespace {

TEST(cyclic, tells_what_remains_block_by_block) {
  loop_run run("cyclic", {20, 2, 4, 0, {.all_arrive = true}});
  EXPECT_EQ(run.remaining(0), 12U);
  EXPECT_EQ(run.next(0), (step{0, 4, 1}));
  EXPECT_EQ(run.remaining(0), 8U);
  EXPECT_EQ(run.next(0), (step{8, 4, 1}));
  EXPECT_EQ(run.next(0), (step{16, 4, 1}));
  EXPECT_EQ(run.remaining(0), 0U);
  EXPECT_TRUE(run.next(0).done());
}

}  // namespace
}  // namespace steelyard::schedules::testing
