// SPDX-License-Identifier: Apache-2.0
// The lock-free stack under the slab: order, and that threads neither lose nor share a block.
#include "sync/free_list.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <set>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "sync/real.hpp"

namespace {

using steelyard::support::line_size;
using list = steelyard::sync::free_list<steelyard::sync::real>;

struct alignas(line_size) owned : list::block {
  std::atomic<int> holders{0};
};

TEST(FreeList, GivesBackTheLastFirst) {
  list blocks;
  owned three[3];
  EXPECT_EQ(blocks.take(), nullptr);
  for (owned& each : three) blocks.push(&each);
  EXPECT_EQ(blocks.take(), &three[2]);
  blocks.push(&three[2]);
  EXPECT_EQ(blocks.take(), &three[2]);
  EXPECT_EQ(blocks.take(), &three[1]);
  EXPECT_EQ(blocks.take(), &three[0]);
  EXPECT_EQ(blocks.take(), nullptr);
}

/// A door that lets others act right after a chosen access.
struct interrupted {
  static inline std::function<void()> then;

  template <class T>
  class atomic : public steelyard::sync::real::atomic<T> {
   public:
    T load(steelyard::sync::order how, steelyard::sync::site where) const {
      const T value = steelyard::sync::real::atomic<T>::load(how, where);
      if (std::is_pointer_v<T>) {
        if (const auto act = std::exchange(then, nullptr)) act();
      }
      return value;
    }
  };
};

/// The block on top is the same as before, but what lay below it is gone.
TEST(FreeList, ABlockThatCameBackIsNotTakenForUnmoved) {
  using watched = steelyard::sync::free_list<interrupted>;
  struct alignas(line_size) own : watched::block {};
  watched blocks;
  own three[3];
  for (own& each : three) blocks.push(&each);
  interrupted::then = [&] {
    EXPECT_EQ(blocks.take(), &three[2]);
    EXPECT_EQ(blocks.take(), &three[1]);
    blocks.push(&three[2]);
  };
  EXPECT_EQ(blocks.take(), &three[2]);
  EXPECT_EQ(blocks.take(), &three[0]);
  EXPECT_EQ(blocks.take(), nullptr);
}

TEST(FreeList, ThreadsNeitherLoseNorShareABlock) {
  list blocks;
  std::vector<owned> all(6);
  for (owned& each : all) blocks.push(&each);
  std::atomic<int> shared{0};
  const auto churn = [&] {
    for (int i = 0; i < 50000; ++i) {
      auto* const first = static_cast<owned*>(blocks.take());
      auto* const second = i % 3 == 0 ? static_cast<owned*>(blocks.take()) : nullptr;
      for (owned* each : {first, second}) {
        if (each != nullptr && each->holders.fetch_add(1) != 0) ++shared;
      }
      for (owned* each : {first, second}) {
        if (each == nullptr) continue;
        each->holders.fetch_sub(1);
        blocks.push(each);
      }
    }
  };
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) threads.emplace_back(churn);
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(shared.load(), 0);
  std::set<list::block*> left;
  for (list::block* each = blocks.take(); each != nullptr; each = blocks.take()) left.insert(each);
  EXPECT_EQ(left.size(), all.size());
}

}  // namespace
