// SPDX-License-Identifier: Apache-2.0
#include "schedules/chunks/fac.hpp"

#include "loop_run.hpp"

namespace steelyard::schedules::testing {
namespace {

TEST(fac, has_more_batches_the_more_times_vary) {
  std::size_t before = 0;
  for (const double deviation : {0.0, 0.25, 1.0, 4.0, 16.0}) {
    loop_record known;
    known.mean = 1;
    known.deviation = deviation;
    shape loop{1'000'000, 64, 0, 0};
    loop.known.record = &known;
    loop_run run("fac", loop);
    const auto chunks = in_turn(run, everybody(64)).size();
    EXPECT_GT(chunks, before) << deviation;
    before = chunks;
  }
}

TEST(fac, finds_a_batch_however_late_a_member_comes) {
  loop_run run("fac", {1000, 4, 0, 0});
  for (int k = 0; k < 9; ++k) run.next(0);
  EXPECT_EQ(run.next(3), (step{957, 5, 1}));
}

}  // namespace
}  // namespace steelyard::schedules::testing
