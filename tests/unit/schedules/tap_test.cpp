// SPDX-License-Identifier: Apache-2.0
#include "schedules/chunks/tap.hpp"

#include "loop_run.hpp"

namespace steelyard::schedules::testing {
namespace {

TEST(tap, has_about_p_ln_n_chunks) {
  loop_run run("tap", {1'000'000, 64, 0, 0});
  loop_run guided("guided", {1'000'000, 64, 0, 0});
  const auto chunks = in_turn(run, everybody(64)).size();
  const auto of_guided = in_turn(guided, everybody(64)).size();
  EXPECT_GT(chunks, of_guided);
  EXPECT_LT(chunks, 2 * of_guided);
}

TEST(tap, is_guided_where_nothing_varies) {
  loop_record known;
  known.mean = 1;
  shape loop{123'457, 7, 0, 0};
  loop.known.record = &known;
  loop_run run("tap", loop);
  loop_run guided("guided", {123'457, 7, 0, 0});
  EXPECT_EQ(in_turn(run, everybody(7)), in_turn(guided, everybody(7)));
}

}  // namespace
}  // namespace steelyard::schedules::testing
