// SPDX-License-Identifier: Apache-2.0
#include "schedules/chunks/mfsc.hpp"

#include "loop_run.hpp"

namespace steelyard::schedules::testing {
namespace {

/// As many as factoring has: batches of P that halve the rest.
TEST(mfsc, has_about_as_many_chunks_as_factoring) {
  loop_run equal("mfsc", {1'000'000, 64, 0, 0});
  loop_run halving("factoring", {1'000'000, 64, 0, 0});
  const auto chunks = in_turn(equal, everybody(64)).size();
  EXPECT_NEAR(static_cast<double>(chunks), static_cast<double>(in_turn(halving, everybody(64)).size()), 64);
}

}  // namespace
}  // namespace steelyard::schedules::testing
