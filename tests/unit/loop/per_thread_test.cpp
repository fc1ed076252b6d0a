// SPDX-License-Identifier: Apache-2.0
// Values of which each thread has its own.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <memory>
#include <stdexcept>
#include <steelyard/loop.hpp>
#include <steelyard/per_thread.hpp>
#include <steelyard/pool.hpp>
#include <thread>
#include <vector>

namespace {

using steelyard::parallel_for;
using steelyard::per_thread;
using steelyard::pool;

TEST(PerThread, NothingIsLost) {
  pool four(4);
  per_thread<long> sums;
  per_thread<std::vector<int>> found;
  parallel_for(0, 100'000,
               [&](int i) {
                 sums.local() += i;
                 if (i % 100 == 0) found.local().push_back(i);
               },
               {.on = &four, .always_parallel = true});
  EXPECT_EQ(sums.combine(std::plus<>{}), 99'999L * 100'000 / 2);
  EXPECT_GE(sums.size(), 1U);
  EXPECT_LE(sums.size(), 4U);
  std::vector<int> all;
  found.for_each([&](std::vector<int>& some) { all.insert(all.end(), some.begin(), some.end()); });
  std::sort(all.begin(), all.end());
  ASSERT_EQ(all.size(), 1'000U);
  for (int i = 0; i < 1'000; ++i) EXPECT_EQ(all[static_cast<std::size_t>(i)], 100 * i);
}

/// More threads than there are lists, all alive at once: each its own, and always the same.
TEST(PerThread, OneEach) {
  constexpr unsigned threads = 200;
  per_thread<int> values;
  std::atomic<unsigned> here{0};
  std::atomic<int> wrong{0};
  std::vector<std::thread> all;
  for (unsigned t = 0; t < threads; ++t) {
    all.emplace_back([&] {
      int* const mine = &values.local();
      *mine = 1;
      ++here;
      while (here.load() < threads) std::this_thread::yield();
      if (&values.local() != mine || *mine != 1) ++wrong;
    });
  }
  for (auto& one : all) one.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(values.size(), threads);
  EXPECT_EQ(values.combine(std::plus<>{}), static_cast<int>(threads));
}

TEST(PerThread, BeginsAsToldAndGoes) {
  per_thread<int> seven(7);
  EXPECT_EQ(seven.combine(std::plus<>{}), 7) << "nobody has asked";
  EXPECT_EQ(seven.local(), 7);
  const auto alive = std::make_shared<int>(0);
  {
    per_thread<std::shared_ptr<int>> copies([&alive] { return alive; });
    EXPECT_EQ(copies.size(), 0U);
    copies.local();
    copies.local();
    EXPECT_EQ(copies.size(), 1U);
    EXPECT_GE(alive.use_count(), 2);
  }
  EXPECT_EQ(alive.use_count(), 1);
}

TEST(PerThread, WhatMakingItThrows) {
  bool fails = true;
  per_thread<int> values([&fails]() -> int { return fails ? throw std::runtime_error("no") : 3; });
  EXPECT_THROW(values.local(), std::runtime_error);
  EXPECT_EQ(values.size(), 0U);
  fails = false;
  EXPECT_EQ(values.local(), 3);
}

/// A lambda becomes a bool, too.
TEST(PerThread, AFunctionMakesABool) {
  per_thread<bool> no([] { return false; });
  EXPECT_FALSE(no.local());
  per_thread<bool> yes(true);
  EXPECT_TRUE(yes.local());
}

}  // namespace
