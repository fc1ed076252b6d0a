// SPDX-License-Identifier: Apache-2.0
#include "dataflow/ready_tasks.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

namespace {

using ready = steelyard::dataflow::ready_tasks<int>;

TEST(ReadyTasks, TheFirstInMemoryComesFirst) {
  ready all;
  std::array<int, 8> tasks{};
  for (const std::size_t i : {3U, 7U, 0U, 5U}) EXPECT_TRUE(all.add(tasks[i]));
  EXPECT_EQ(&all.take(), &tasks[0]);
  EXPECT_EQ(&all.take(), &tasks[3]);
  EXPECT_TRUE(all.add(tasks[6]));
  EXPECT_TRUE(all.add(tasks[1]));
  for (const std::size_t i : {1U, 5U, 6U, 7U}) EXPECT_EQ(&all.take(), &tasks[i]);
}

TEST(ReadyTasks, ExchangeIsAddAndTake) {
  ready all;
  std::array<int, 8> tasks{};
  EXPECT_EQ(&all.exchange(tasks[4]), &tasks[4]);  // there is no other
  EXPECT_TRUE(all.add(tasks[5]));
  EXPECT_TRUE(all.add(tasks[2]));
  EXPECT_EQ(&all.exchange(tasks[1]), &tasks[1]);
  EXPECT_EQ(&all.exchange(tasks[7]), &tasks[2]);
  EXPECT_EQ(&all.exchange(tasks[6]), &tasks[5]);
  EXPECT_EQ(&all.take(), &tasks[6]);
  EXPECT_EQ(&all.take(), &tasks[7]);
}

TEST(ReadyTasks, EachComesOnceWhoeverTakes) {
  constexpr int each = 5'000;
  constexpr int threads = 4;
  ready all;
  std::vector<int> taken(std::size_t{threads} * each);
  std::vector<std::thread> some;
  for (int t = 0; t < threads; ++t) {
    some.emplace_back([&all, &taken, t] {
      for (int i = 0; i < each; ++i) {
        int& mine = taken[static_cast<std::size_t>(i * threads + t)];
        if (i % 2 == 0) {
          ASSERT_TRUE(all.add(mine));
          ++all.take();
        } else {
          ++all.exchange(mine);
        }
      }
    });
  }
  for (auto& one : some) one.join();
  for (const int times : taken) ASSERT_EQ(times, 1);
}

}  // namespace
