// SPDX-License-Identifier: Apache-2.0
#include "schedules/chunks/fsc.hpp"

#include <cmath>
#include <cstdint>

#include "loop_run.hpp"

namespace steelyard::schedules::testing {
namespace {

/// The minimum of what handing out costs a member, and of what it waits for the last chunks: N h / (P c) + σ √(2 c ln P).
TEST(fsc, costs_least) {
  constexpr double n = 1'000'000;
  constexpr double members = 64;
  loop_record known;
  known.mean = 300;
  known.deviation = 120;
  known.hand_over = 900;
  shape loop{static_cast<std::uint64_t>(n), 64, 0, 0};
  loop.known.record = &known;
  loop_run run("fsc", loop);
  const auto chunk = static_cast<double>(run.next(0).count);
  const auto cost = [&](double c) { return n * 900 / (members * c) + 120 * std::sqrt(2 * c * std::log(members)); };
  EXPECT_LE(cost(chunk), cost(0.97 * chunk));
  EXPECT_LE(cost(chunk), cost(1.03 * chunk));
}

TEST(fsc, goes_by_ratios_so_times_below_a_tick_count) {
  for (const double tick : {1e-9, 1.0, 1e9}) {
    loop_record known;
    known.mean = tick;
    known.deviation = tick;
    known.hand_over = tick;
    shape loop{1000, 4, 0, 0};
    loop.known.record = &known;
    EXPECT_EQ(loop_run("fsc", loop).next(0).count, 45U) << tick;
  }
}

}  // namespace
}  // namespace steelyard::schedules::testing
