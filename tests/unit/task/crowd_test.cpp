// SPDX-License-Identifier: Apache-2.0
// A pool of many more threads than there are processors: it does what a small one does, and costs nothing while it has nothing to do.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <steelyard/dataflow.hpp>
#include <steelyard/loop.hpp>
#include <steelyard/pool.hpp>
#include <steelyard/task.hpp>
#include <thread>
#include <vector>

#include "../workers_asleep.hpp"
#include "tasks.hpp"

namespace {

using steelyard::fork_task;
using steelyard::parallel_for;
using steelyard::pool;
using steelyard::rw;
using steelyard::shared;
using steelyard::task_group;

constexpr std::uint32_t crowd = 300;

/// Each index of a loop once, whatever the schedule; `n` may be less than there are threads.
void runs_each_once(pool& all, const char* schedule, std::uint32_t n) {
  std::vector<std::atomic<int>> ran(n);
  all.run([&] { parallel_for(0U, n, [&](std::uint32_t i) { ++ran[i]; }, {.schedule = schedule}); });
  for (std::uint32_t i = 0; i < n; ++i) ASSERT_EQ(ran[i], 1) << schedule << ", " << i << " of " << n;
}

TEST(Crowd, RunsEachIndexOnce) {
  pool all(crowd);
  ASSERT_EQ(all.threads(), crowd) << "the system grants fewer";
  for (const char* schedule : {"steal", "wsri", "wsrw", "wsr", "random", "idws", "adaptive", "static", "dynamic"}) {
    for (const std::uint32_t n : {7U, 299U, 100'000U}) runs_each_once(all, schedule, n);
  }
}

TEST(Crowd, RunsTasksAndGroups) {
  pool all(crowd);
  all.run([] {
    EXPECT_EQ(task_tests::fib(18), 2584);
    std::atomic<int> sum{0};
    task_group group;
    for (int i = 1; i <= 1000; ++i) group.spawn([&sum, i] { sum += i; });
    group.wait();
    EXPECT_EQ(sum, 500'500);
  });
}

TEST(Crowd, KeepsTheOrderOfDataflow) {
  pool all(crowd);
  std::array<shared<std::uint64_t>, 10> values;
  all.run([&] {
    for (auto& value : values) value = shared<std::uint64_t>(0U);
    for (std::uint64_t i = 1; i <= 100; ++i) {
      for (auto& value : values) fork_task([i](rw<std::uint64_t> it) { *it = *it * 31 + i; }, value);
    }
  });
  std::uint64_t expected = 0;
  for (std::uint64_t i = 1; i <= 100; ++i) expected = expected * 31 + i;
  for (auto& value : values) EXPECT_EQ(*value, expected);
}

/// Who has nothing to do sleeps, and nothing wakes it.
TEST(Crowd, SleepsWhenIdle) {
  pool all(crowd);
  runs_each_once(all, "steal", 100'000);
  const auto before = workers_asleep::wait_for(crowd - 1);
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  EXPECT_EQ(workers_asleep::look(), before) << "switches while nothing was to do";
}

}  // namespace
