// SPDX-License-Identifier: Apache-2.0
#include "schedules/chunks/chunk_times.hpp"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

namespace steelyard::schedules {
namespace {

/// Iterations of a known spread, in chunks of any sizes.
TEST(chunk_times, tell_the_deviation_of_iterations) {
  std::mt19937_64 draw(1);
  std::exponential_distribution<double> time(1.0 / 1000);  // σ = μ = 1000
  chunk_times even;
  chunk_times odd;
  for (int k = 0; k < 4000; ++k) {
    const std::uint64_t n = 1 + draw() % 50;
    double sum = 0;
    for (std::uint64_t i = 0; i < n; ++i) sum += time(draw);
    (k % 2 == 0 ? even : odd).add(n, {static_cast<std::uint64_t>(sum), 7});
  }
  even.add(odd);
  EXPECT_NEAR(even.mean(), 1000, 20);
  EXPECT_NEAR(even.deviation(), 1000, 50);
  EXPECT_EQ(even.fetch(), 7.0 * 4000);
}

TEST(chunk_times, of_equal_times_do_not_vary) {
  chunk_times all;
  for (std::uint64_t n = 1; n < 100; ++n) all.add(n, {3 * n, 0});
  EXPECT_DOUBLE_EQ(all.mean(), 3);
  EXPECT_NEAR(all.deviation(), 0, 1e-6);
}

TEST(chunk_times, of_one_chunk_may_vary_by_as_much_as_they_are) {
  chunk_times all;
  all.add(10, {50, 0});
  EXPECT_EQ(all.deviation(), 5);
}

/// Iterations of less than a tick.
TEST(chunk_times, are_kept_in_the_record_with_those_before) {
  loop_record known;
  chunk_times first;
  first.add(1000, {100, 30});
  first.add(1000, {100, 50});
  first.learn(known);
  EXPECT_DOUBLE_EQ(known.mean, 0.1);
  EXPECT_DOUBLE_EQ(known.hand_over, 40);
  chunk_times second;
  second.add(1000, {300, 20});
  second.learn(known);
  EXPECT_DOUBLE_EQ(known.mean, 0.2);
  EXPECT_DOUBLE_EQ(known.deviation, 0.15);
  EXPECT_DOUBLE_EQ(known.hand_over, 30);
  chunk_times{}.learn(known);
  EXPECT_DOUBLE_EQ(known.mean, 0.2);
}

TEST(spread_of_times, has_defaults_and_bounds) {
  const spread_of_times nothing(shape{1000, 4});
  EXPECT_EQ(nothing.variation, 1);
  EXPECT_EQ(nothing.hand_over, 1);
  loop_record known;
  shape loop{1000, 4};
  loop.known.record = &known;
  EXPECT_EQ(spread_of_times(loop).variation, 1);
  known.mean = 0.01;
  known.deviation = 0.02;
  known.hand_over = 1;
  EXPECT_DOUBLE_EQ(spread_of_times(loop).variation, 2);
  EXPECT_DOUBLE_EQ(spread_of_times(loop).hand_over, 100);
  known.deviation = 1e9;
  EXPECT_EQ(spread_of_times(loop).variation, spread_of_times::most);
}

TEST(loop_record, is_due_now_and_then) {
  loop_record known;
  int due = 0;
  for (known.instances = 0; known.instances < 640; ++known.instances) due += known.is_due() ? 1 : 0;
  EXPECT_EQ(due, 1 + 6 + 9);  // 0; 1 2 4 8 16 32; 64 128 … 576
}

}  // namespace
}  // namespace steelyard::schedules
