// SPDX-License-Identifier: Apache-2.0
// The drop-in's own memory: alignment, reuse, sizes, threads.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <set>
#include <thread>
#include <vector>

#include "openmp/host/slab.hpp"
#include "support/cache_line.hpp"

namespace {

using steelyard::openmp::slab_give;
using steelyard::openmp::slab_take;
using steelyard::support::line_size;

TEST(Slab, BlocksAreAlignedAndAsLargeAsAskedFor) {
  for (const std::size_t bytes : {std::size_t{0}, std::size_t{1}, std::size_t{511}, std::size_t{512}, std::size_t{513},
                                  std::size_t{1024}, std::size_t{4097}, std::size_t{65536}, std::size_t{262143},
                                  std::size_t{262144}, std::size_t{262145}, std::size_t{5000000}}) {
    void* const memory = slab_take(bytes);
    ASSERT_NE(memory, nullptr) << bytes;
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory) % line_size, 0U) << bytes;
    std::memset(memory, 0xff, bytes);
    slab_give(memory, bytes);
  }
}

TEST(Slab, ABlockGivenBackIsTheNextTaken) {
  for (const std::size_t bytes : {std::size_t{600}, std::size_t{100000}, std::size_t{3000000}}) {
    void* const first = slab_take(bytes);
    slab_give(first, bytes);
    void* const second = slab_take(bytes - 50);
    EXPECT_EQ(second, first) << bytes;
    slab_give(second, bytes - 50);
  }
}

TEST(Slab, BlocksDoNotOverlap) {
  struct block {
    unsigned char* at;
    std::size_t bytes;
  };
  std::vector<block> blocks;
  for (unsigned i = 0; i < 3000; ++i) {
    const std::size_t bytes = 1 + i * 37 % 5000;
    auto* const memory = static_cast<unsigned char*>(slab_take(bytes));
    ASSERT_NE(memory, nullptr);
    std::memset(memory, static_cast<int>(i % 251), bytes);
    blocks.push_back({memory, bytes});
  }
  for (unsigned i = 0; i < blocks.size(); ++i) {
    auto* const end = blocks[i].at + blocks[i].bytes;
    EXPECT_TRUE(std::all_of(blocks[i].at, end, [i](unsigned char c) { return c == i % 251; })) << i;
  }
  for (const block& each : blocks) slab_give(each.at, each.bytes);
}

TEST(Slab, WhatIsGivenBackIsEnoughForAsMuchAgain) {
  constexpr std::size_t bytes = 7000;
  std::set<void*> first;
  for (int i = 0; i < 500; ++i) first.insert(slab_take(bytes));
  ASSERT_EQ(first.size(), 500U);
  for (void* each : first) slab_give(each, bytes);
  std::vector<void*> again;
  for (int i = 0; i < 500; ++i) again.push_back(slab_take(bytes));
  const auto known = std::count_if(again.begin(), again.end(), [&](void* each) { return first.contains(each); });
  EXPECT_EQ(known, 500);
  for (void* each : again) slab_give(each, bytes);
}

TEST(Slab, RefusesMoreThanAGigabyte) {
  EXPECT_EQ(slab_take((std::size_t{1} << 30) + 1), nullptr);
  EXPECT_EQ(slab_take(~std::size_t{0}), nullptr);
  EXPECT_EQ(slab_take(~std::size_t{0} / 2 + 2), nullptr);
}

TEST(Slab, NothingCanBeGivenBack) { slab_give(nullptr, 100); }

/// Each thread fills its blocks with its own sign and finds it again, while blocks go round between the threads.
std::size_t churn(unsigned char sign) {
  std::size_t wrong = 0;
  struct block {
    unsigned char* at;
    std::size_t bytes;
  };
  std::vector<block> held;
  for (unsigned i = 0; i < 20000; ++i) {
    if (held.size() < 8) {
      const std::size_t bytes = 200 + i % 3 * 700;
      auto* const at = static_cast<unsigned char*>(slab_take(bytes));
      if (at == nullptr) return 1;
      std::memset(at, sign, bytes);
      held.push_back({at, bytes});
      continue;
    }
    for (unsigned left = 1 + i % 5; left > 0; --left) {
      const block last = held.back();
      held.pop_back();
      wrong +=
          static_cast<std::size_t>(std::count_if(last.at, last.at + last.bytes, [&](auto c) { return c != sign; }));
      std::memset(last.at, 0, last.bytes);
      slab_give(last.at, last.bytes);
    }
  }
  for (const block& each : held) slab_give(each.at, each.bytes);
  return wrong;
}

TEST(Slab, ThreadsDoNotShareABlock) {
  std::size_t wrong[4] = {};
  std::vector<std::thread> threads;
  for (unsigned char t = 0; t < 4; ++t)
    threads.emplace_back([&, t] { wrong[t] = churn(static_cast<unsigned char>(t + 1)); });
  for (auto& thread : threads) thread.join();
  for (const std::size_t each : wrong) EXPECT_EQ(each, 0U);
}

}  // namespace
