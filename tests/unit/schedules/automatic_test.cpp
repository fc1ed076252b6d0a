// SPDX-License-Identifier: Apache-2.0
#include "schedules/automatic.hpp"

#include "loop_run.hpp"

namespace steelyard::schedules::testing {
namespace {

TEST(automatic, where_nobody_chooses_it_is_steal) {
  loop_run ours("automatic", {400, 4, 10, 0});
  loop_run steal("steal", {400, 4, 10, 0});
  for (int round = 0; round < 100; ++round) {
    for (member m = 0; m < 4; ++m) EXPECT_EQ(ours.next(m), steal.next(m)) << round;
  }
}

TEST(automatic, says_that_the_front_end_chooses) { EXPECT_EQ(find("automatic")->about.learns, learning::schedule); }

}  // namespace
}  // namespace steelyard::schedules::testing
