// SPDX-License-Identifier: Apache-2.0
#include "schedules/chunks/trapezoid.hpp"

#include "loop_run.hpp"

namespace steelyard::schedules::testing {
namespace {

TEST(trapezoid, shrinks_by_the_same_amount_each_time) {
  loop_run run("trapezoid", {1'000'000'007, 13, 77, 0});
  const auto chunks = in_turn(run, everybody(13));
  ASSERT_GT(chunks.size(), 10U);
  const auto decrement = chunks[0].what.count - chunks[1].what.count;
  for (std::size_t k = 1; k + 1 < chunks.size(); ++k) {
    EXPECT_EQ(chunks[k - 1].what.count - chunks[k].what.count, decrement) << k;
  }
}

}  // namespace
}  // namespace steelyard::schedules::testing
