// SPDX-License-Identifier: Apache-2.0
#include "schedules/chunks/tfss.hpp"

#include "loop_run.hpp"

namespace steelyard::schedules::testing {
namespace {

TEST(tfss, hands_out_p_equal_chunks_at_a_time) {
  loop_run run("tfss", {1'000'000, 64, 0, 0});
  const auto chunks = in_turn(run, everybody(64));
  EXPECT_LE(chunks.size(), 5U * 64);
  for (std::size_t k = 0; k + 1 < chunks.size(); ++k) {
    EXPECT_EQ(chunks[k].what.count, chunks[k / 64 * 64].what.count) << k;
  }
}

}  // namespace
}  // namespace steelyard::schedules::testing
