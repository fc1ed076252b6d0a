// SPDX-License-Identifier: Apache-2.0
#include "runtime/stack.hpp"

#include <gtest/gtest.h>
#include <pthread.h>
#include <ucontext.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace {

using steelyard::runtime::stack_half;

constexpr std::size_t kibi = 1024;
constexpr std::size_t size = 512 * kibi;

/// How far below `top` the calling thread's stack is when its half is no longer free.
[[gnu::noinline]] std::size_t used_until_half(stack_half& half, std::uintptr_t top) {
  volatile char some[4 * kibi];
  some[0] = 0;
  const auto used = top - reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  if (!half.is_here() || used > size) return used;
  return used_until_half(half, top) + (some[0] != 0 ? 1 : 0);
}

void* look(void* result) {
  stack_half half;
  *static_cast<std::size_t*>(result) =
      used_until_half(half, reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)));
  return nullptr;
}

TEST(Stack, AThreadsHalf) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, size);
  std::size_t used = 0;
  pthread_t thread{};
  ASSERT_EQ(pthread_create(&thread, &attributes, look, &used), 0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
  EXPECT_GT(used, size / 2 - 32 * kibi);
  EXPECT_LT(used, size / 2 + 32 * kibi);
}

[[gnu::noinline]] const void* frame_of_another() { return __builtin_frame_address(0); }

TEST(Stack, WhatLiesBelowAFrame) {
  stack_half half;
  const void* const frame = __builtin_frame_address(0);
  const auto part = half.below(frame);
  EXPECT_TRUE(part.holds(frame_of_another()));
  EXPECT_FALSE(part.holds(frame));
  EXPECT_LE(part.high - part.low, 16 * kibi * kibi) << "a stack without a limit";
  const auto on_heap = std::make_unique<int>(0);
  EXPECT_FALSE(part.holds(on_heap.get()));
  EXPECT_FALSE(half.below(on_heap.get()).holds(on_heap.get())) << "no frame of this stack";
}

ucontext_t before;
bool is_elsewhere = false;

void look_elsewhere() {
  stack_half half;
  is_elsewhere = half.is_here();
}

TEST(Stack, OfAnotherStackNothingIsKnown) {
  std::vector<char> memory(256 * kibi);
  ucontext_t other;
  getcontext(&other);
  other.uc_stack.ss_sp = memory.data();
  other.uc_stack.ss_size = memory.size();
  other.uc_link = &before;
  makecontext(&other, look_elsewhere, 0);
  swapcontext(&before, &other);
  EXPECT_TRUE(is_elsewhere);
}

}  // namespace
