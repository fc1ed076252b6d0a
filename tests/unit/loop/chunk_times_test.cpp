// SPDX-License-Identifier: Apache-2.0
// Loops under schedules that go by what chunks take, by the public interface. What they learn: replay/feedback_test.cpp.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

#include <steelyard/loop.hpp>

namespace {

using steelyard::parallel_for, steelyard::pool;

class by_times : public ::testing::TestWithParam<const char*> {
 protected:
  /// A loop of n iterations on that pool, again and again.
  static void run(const pool& on, int n, int rounds) {
    std::vector<std::atomic<int>> times(static_cast<std::size_t>(n));
    for (int round = 0; round < rounds; ++round) {
      parallel_for(0, n, [&](int i) { ++times[static_cast<std::size_t>(i)]; },
                   {.schedule = GetParam(), .on = &on, .always_parallel = round % 2 == 0});
    }
    EXPECT_TRUE(std::all_of(times.begin(), times.end(), [&](const auto& each) { return each == rounds; })) << n;
  }
};

TEST_P(by_times, run_every_iteration_once) {
  const pool three(3);
  for (const int n : {1, 2, 3, 10, 1000, 20'000}) run(three, n, 24);
}

/// Of loops of one place that run at the same time, one is learnt from.
TEST_P(by_times, run_beside_each_other) {
  const pool two(2);
  std::vector<std::thread> callers;
  for (int caller = 0; caller < 3; ++caller) callers.emplace_back([&] { run(two, 1000, 50); });
  for (auto& caller : callers) caller.join();
}

TEST_P(by_times, run_inside_each_other) {
  const pool two(2);
  std::atomic<int> ran{0};
  for (int round = 0; round < 5; ++round) {
    parallel_for(0, 20,
                 [&](int) {
                   parallel_for(0, 50, [&](int) { ++ran; },
                                {.schedule = GetParam(), .on = &two, .always_parallel = true});
                 },
                 {.schedule = GetParam(), .on = &two, .always_parallel = true});
  }
  EXPECT_EQ(ran, 5 * 20 * 50);
}

INSTANTIATE_TEST_SUITE_P(schedules, by_times,
                         ::testing::Values("fsc", "fac", "tap", "wf2", "awf", "awf-b", "awf-e", "af", "bold", "pls"));

}  // namespace
