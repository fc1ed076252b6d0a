// SPDX-License-Identifier: Apache-2.0
#include "schedules/chunks/guided_libomp.hpp"

#include <cmath>

#include "loop_run.hpp"

namespace steelyard::schedules::testing {
namespace {

/// P ln N: each chunk takes a 2P-th of the rest.
TEST(guided_libomp, has_about_2_p_ln_n_chunks) {
  loop_run run("guided:libomp", {1'000'000, 64, 0, 0});
  const double chunks = static_cast<double>(in_turn(run, everybody(64)).size());
  EXPECT_NEAR(chunks, 2 * 64 * (std::log(1'000'000 / 128.0) + 1), 100);
}

}  // namespace
}  // namespace steelyard::schedules::testing
