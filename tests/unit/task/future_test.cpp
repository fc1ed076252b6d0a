// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <memory>
#include <random>
#include <stdexcept>
#include <steelyard/pool.hpp>
#include <string>
#include <vector>

#include "tasks.hpp"

namespace task_tests {
namespace {

using steelyard::future;
using steelyard::task_group;

class futures : public testing::TestWithParam<unsigned> {
 protected:
  template <class F>
  void in_pool(F f) {
    steelyard::pool(GetParam()).run(f);
  }
};
INSTANTIATE_TEST_SUITE_P(pools, futures, testing::Values(1, 2, 3, 8));

TEST_P(futures, ATaskGetsWhatItCameAfter) {
  in_pool([] {
    task_group group;
    const auto word = group.async([] { return std::string("ab"); });
    const auto number = group.async([] { return 3; });
    const auto both = group.after(
        [](const std::string& text, int times) {
          std::string all;
          for (int i = 0; i < times; ++i) all += text;
          return all;
        },
        word, number);
    group.wait();
    EXPECT_EQ(both.get(), "ababab");
    EXPECT_TRUE(both.is_ready());
  });
}

TEST_P(futures, AnyGraphWithoutCyclesGivesWhatCallsGive) {
  in_pool([] {
    for (unsigned seed = 0; seed < 40; ++seed) {
      std::minstd_rand random(seed + 1);
      std::vector<unsigned> expected;
      std::vector<future<unsigned>> found;
      task_group group;
      for (unsigned i = 0; i < 200; ++i) {
        const auto pick = [&] { return static_cast<std::size_t>(random()) % expected.size(); };
        const auto own = static_cast<unsigned>(random());
        if (i < 3 || own % 7 == 0) {
          expected.push_back(own);
          found.push_back(group.async([own] { return own; }));
        } else {
          const auto a = pick(), b = pick(), c = pick();
          const auto combine = [own](unsigned x, unsigned y, unsigned z) { return x * 3 + y * 5 + z * 7 + own; };
          expected.push_back(combine(expected[a], expected[b], expected[c]));
          found.push_back(group.after(combine, found[a], found[b], found[c]));
        }
      }
      group.wait();
      for (std::size_t i = 0; i < found.size(); ++i) ASSERT_EQ(found[i].get(), expected[i]) << "seed " << seed;
    }
  });
}

TEST_P(futures, TasksOfTasksMayMakeThem) {
  in_pool([] {
    task_group group;
    std::vector<future<int>> inner(20);
    const auto outer = group.async([&] {
      const auto one = group.async([] { return 1; });
      for (auto& each : inner) each = group.after([](int x) { return x + 1; }, one);
      return static_cast<int>(inner.size());
    });
    group.wait();
    EXPECT_EQ(outer.get(), 20);
    for (const auto& each : inner) EXPECT_EQ(each.get(), 2);
  });
}

TEST_P(futures, AChainNeedsNoStack) {
  in_pool([] {
    task_group group;
    auto last = group.async([] { return 0; });
    for (int i = 0; i < 200'000; ++i) last = group.after([](int x) { return x + 1; }, last);
    group.wait();
    EXPECT_EQ(last.get(), 200'000);

    last = group.async([]() -> int { throw 1; });
    for (int i = 0; i < 200'000; ++i) last = group.after([](int x) { return x + 1; }, last);
    EXPECT_THROW(group.wait(), int);
  });
}

TEST_P(futures, WhatATaskThrowsComesWithItsFutureAndTheGroup) {
  in_pool([] {
    task_group group;
    const auto bad = group.async([]() -> int { throw std::out_of_range("far"); });
    const auto never = group.after([](int x) { return x; }, bad);
    EXPECT_THROW(group.wait(), std::out_of_range);
    EXPECT_THROW(static_cast<void>(bad.get()), std::out_of_range);
    EXPECT_THROW(static_cast<void>(never.get()), std::future_error);
  });
}

TEST_P(futures, AskedTooEarlyOrOfNoTask) {
  in_pool([] {
    task_group group;
    EXPECT_THROW(static_cast<void>(future<int>().get()), std::future_error);
    EXPECT_THROW(group.after([](int x) { return x; }, future<int>()), std::future_error);
    meeting asked;
    const auto slow = group.async([&] { return asked.wait() ? 1 : 0; });
    EXPECT_FALSE(slow.is_ready());
    EXPECT_THROW(static_cast<void>(slow.get()), std::logic_error);
    asked.come();
    group.wait();
    EXPECT_EQ(slow.get(), 1);
  });
}

TEST_P(futures, NothingIsLeft) {
  const auto token = std::make_shared<int>(1);
  in_pool([&] {
    task_group group;
    const auto kept = group.async([token] { return token; });
    for (int i = 0; i < 50; ++i) group.after([token](const std::shared_ptr<int>& x) { return *x + *token; }, kept);
    group.after([](const std::shared_ptr<int>&) { throw 1; }, kept);
    EXPECT_THROW(group.wait(), int);
  });
  EXPECT_EQ(token.use_count(), 1);
}

/// What a task holds goes with the task.
TEST(futures, LiveLongerThanWhatTheirTaskHolds) {
  const auto held = std::make_shared<int>(5);
  task_group group;
  const auto one = group.async([held] { return *held; });
  group.wait();
  EXPECT_EQ(held.use_count(), 1);
  EXPECT_EQ(one.get(), 5);
}

TEST(futures, OutsideOfAnyPool) {
  task_group group;
  const auto one = group.async([] { return 1; });
  const auto two = group.after([](int x) { return x + 1; }, one);
  group.wait();
  EXPECT_EQ(two.get(), 2);
}

/// A waiter is woken by a task that nobody could push when it went to sleep.
TEST(futures, WhoWaitsWakesForWhatBecomesReady) {
  steelyard::pool two(2);
  two.run([] {
    for (int i = 0; i < 50; ++i) {
      task_group group;
      const auto first = group.async([] { return 1; });
      const auto second = group.after([](int x) { return x + 1; }, first);
      const auto third = group.after([](int x, int y) { return x + y; }, first, second);
      group.wait();
      ASSERT_EQ(third.get(), 3);
    }
  });
}

}  // namespace
}  // namespace task_tests
