// SPDX-License-Identifier: Apache-2.0
#include "schedules/chunks/fiss.hpp"

#include "loop_run.hpp"

namespace steelyard::schedules::testing {
namespace {

TEST(fiss, grows_by_the_same_amount_with_each_batch) {
  loop_run run("fiss", {1'000'000'007, 8, 0, 0});
  const auto chunks = in_turn(run, everybody(8));
  const auto grows = chunks[8].what.count - chunks[0].what.count;
  EXPECT_GT(grows, 0U);
  for (std::size_t k = 8; k + 1 < chunks.size(); ++k)
    EXPECT_EQ(chunks[k].what.count, chunks[k - 8].what.count + grows) << k;
}

}  // namespace
}  // namespace steelyard::schedules::testing
