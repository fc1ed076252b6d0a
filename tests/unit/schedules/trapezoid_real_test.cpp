// SPDX-License-Identifier: Apache-2.0
#include "schedules/chunks/trapezoid_real.hpp"

#include "loop_run.hpp"

namespace steelyard::schedules::testing {
namespace {

TEST(trapezoid_real, has_about_4_p_chunks_that_shrink_to_the_last) {
  loop_run run("trapezoid:real", {1'000'000, 64, 77, 0});
  const auto chunks = in_turn(run, everybody(64));
  EXPECT_NEAR(static_cast<double>(chunks.size()), 4 * 64, 12);
  for (std::size_t k = 1; k + 1 < chunks.size(); ++k) {
    EXPECT_LE(chunks[k].what.count, chunks[k - 1].what.count) << k;
    EXPECT_GE(chunks[k].what.count, 77U) << k;
  }
}

}  // namespace
}  // namespace steelyard::schedules::testing
