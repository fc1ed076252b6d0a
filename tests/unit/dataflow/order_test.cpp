// SPDX-License-Identifier: Apache-2.0
// Chains, trees and crowds of tasks: they run in order, and cost no stack and no memory that the program does not need.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include <steelyard/task_group.hpp>

#include "helpers.hpp"

namespace {

using namespace dataflow_tests;

constexpr std::size_t small_stack = std::size_t{256} << 10;

void increment(rw<number> it) { ++*it; }
/// The order matters.
void append_digit(rw<number> it, number digit) { *it = *it * 31 + digit; }

number digits_appended(number n) {
  number all = 0;
  for (number i = 0; i < n; ++i) all = all * 31 + i;
  return all;
}

/// What the process used at the end of a chain, before anything has been given back.
std::atomic<std::size_t> resident_at_end{0};

void expect_little_memory(std::size_t before) {
  if (!under_sanitizer) {
    EXPECT_LT(resident_at_end, before + (std::size_t{48} << 20));
  }
}

/// Each link uses the object, and forks the next, its last one.
void chain(rwp<number> it, number left) {
  if (left == 0) {
    resident_at_end = resident();
    return;
  }
  fork_task(append_digit, it, left);
  fork_task(chain, it, left - 1);
}

TEST(Order, AChainOfAMillionNeedsNoStackAndNoMemory) {
  for (const unsigned threads : {1U, 2U, 4U}) {
    pool all(threads);
    with_stack(small_stack, [&all] {
      all.run([] {
        const auto before = resident();
        shared<number> it(0U);
        fork_task(chain, it, number{1'000'000});
        sync_tasks();
        number expected = 0;
        for (number left = 1'000'000; left > 0; --left) expected = expected * 31 + left;
        EXPECT_EQ(*it, expected);
        expect_little_memory(before);
      });
    });
  }
}

/// Decision 009: of an arena, or a deque, that was large, what is above 4 MiB goes back when all have run.
TEST(Order, MemoryGoesBack) {
  if (under_sanitizer) GTEST_SKIP() << "sanitizers keep memory of their own";
  constexpr std::size_t most_kept = std::size_t{12} << 20;
#if defined(__x86_64__)
  constexpr std::size_t kept_by_emulator = 0;
#else
  constexpr std::size_t kept_by_emulator = most_kept / 2;  // for what it has translated
#endif
  for (const unsigned threads : {1U, 2U}) {
    pool(threads).run([] {
      const auto before = resident();
      shared<number> it(0U);
      for (int i = 0; i < 1'000'000; ++i) fork_task(increment, it);
      EXPECT_GT(resident(), before + 3 * most_kept);
      sync_tasks();
      EXPECT_LT(resident(), before + most_kept);
      std::atomic<number> ran{0};
      std::size_t pending = 0;
      steelyard::task_group group;
      for (int i = 0; i < 1'000'000; ++i) group.spawn([&ran] { ran.fetch_add(1, std::memory_order_relaxed); });
      pending = resident();
      group.wait();
      EXPECT_EQ(*it, 1'000'000U);
      EXPECT_EQ(ran, 1'000'000U);
      if (pending > before + 2 * most_kept) {
        EXPECT_LT(resident(), before + most_kept + kept_by_emulator);
      }
    });
  }
}

/// Nobody is idle: they run when the arena is used up, which has a quarter of a GiB.
TEST(Order, SixMillionTasksNeedNoMoreThanTheArena) {
  if (under_sanitizer) GTEST_SKIP() << "sanitizers keep memory of their own";
  pool(1).run([] {
    const auto before = resident();
    auto most = before;
    number ran = 0;
    for (number i = 0; i < 6'000'000; ++i) {
      fork_task([&ran, i] { ran += i % 2; });
      if (i % 250'000 == 0) most = std::max(most, resident());
    }
    sync_tasks();
    EXPECT_EQ(ran, 3'000'000U);
    EXPECT_LT(most, before + (std::size_t{300} << 20));
  });
}

/// One link forks only the next: nothing to wait for.
void bare_chain(std::atomic<number>* ran, number left) {
  ran->fetch_add(1, std::memory_order_relaxed);
  if (left == 1) resident_at_end = resident();
  if (left > 1) fork_task(bare_chain, ran, left - 1);
}

TEST(Order, AChainWithoutAccesses) {
  for (const unsigned threads : {1U, 3U}) {
    pool all(threads);
    with_stack(small_stack, [&all] {
      all.run([] {
        const auto before = resident();
        std::atomic<number> ran{0};
        fork_task(bare_chain, &ran, number{2'000'000});
        sync_tasks();
        EXPECT_EQ(ran, 2'000'000U);
        expect_little_memory(before);
      });
    });
  }
}

/// A chain whose links wait for a while until another thread has come for the next.
void passed_chain(std::atomic<int>* left) {
  const int mine = --*left;
  if (mine == 0) return;
  fork_task(passed_chain, left);
  const auto until = std::chrono::steady_clock::now() + std::chrono::microseconds(100);
  while (*left == mine && std::chrono::steady_clock::now() < until) std::this_thread::yield();
}

/// Who waits helps with what descends from its task, and that is the rest of the chain.
TEST(Order, AChainThatIsPassedOnStaysOnItsStack) {
  for (const unsigned threads : {2U, 4U}) {
    pool all(threads);
    with_stack(small_stack, [&all] {
      all.run([] {
        std::atomic<int> left{10'000};
        fork_task(passed_chain, &left);
        sync_tasks();
        EXPECT_EQ(left, 0);
      });
    });
  }
}

TEST(Order, ADependenceChainOfOneTask) {
  const auto expected = digits_appended(100'000);
  for (const unsigned threads : {1U, 2U, 4U}) {
    pool(threads).run([expected] {
      shared<number> it(0U);
      for (number i = 0; i < 100'000; ++i) fork_task(append_digit, it, i);
      sync_tasks();
      EXPECT_EQ(*it, expected);
    });
  }
}

/// Several chains at once, each the longer the more threads there are.
TEST(Order, ManyDependenceChains) {
  const auto expected = digits_appended(2'000);
  for (const unsigned threads : {1U, 2U, 3U, 8U}) {
    pool(threads).run([expected] {
      std::array<shared<number>, 10> its{shared<number>(0U), shared<number>(0U), shared<number>(0U), shared<number>(0U),
                                         shared<number>(0U), shared<number>(0U), shared<number>(0U), shared<number>(0U),
                                         shared<number>(0U), shared<number>(0U)};
      for (number i = 0; i < 2'000; ++i) {
        for (auto& it : its) fork_task(append_digit, it, i);
      }
      sync_tasks();
      for (auto& it : its) EXPECT_EQ(*it, expected);
    });
  }
}

/// Each level forks the next and one behind it, so none is the last in its frame.
void nest(rwp<number> it, int depth) {
  if (depth > 0) fork_task(nest, it, depth - 1);
  fork_task(increment, it);
}

TEST(Order, AThousandLevels) {
  for (const unsigned threads : {1U, 2U, 4U}) {
    pool(threads).run([] {
      for (int round = 0; round < 10; ++round) {
        shared<number> it(0U);
        fork_task(nest, it, 1'000);
        fork_task(increment, it);
        sync_tasks();
        EXPECT_EQ(*it, 1'002U);
      }
    });
  }
}

/// And each waits in the middle.
void nest_waiting(rwp<number> it, int depth) {
  fork_task(increment, it);
  if (depth > 0) fork_task(nest_waiting, it, depth - 1);
  fork_task(increment, it);
  sync_tasks();
  fork_task(increment, it);
}

TEST(Order, AThousandLevelsThatWait) {
  for (const unsigned threads : {1U, 2U, 4U}) {
    pool(threads).run([] {
      shared<number> it(0U);
      fork_task(nest_waiting, it, 1'000);
      sync_tasks();
      EXPECT_EQ(*it, 3'003U);
    });
  }
}

TEST(Order, ThreeMillionInOneFrame) {
  for (const unsigned threads : {1U, 2U}) {
    pool(threads).run([] {
      std::atomic<number> sum{0};
      for (number i = 0; i < 3'000'000; ++i) {
        fork_task([&sum](number own) { sum.fetch_add(own, std::memory_order_relaxed); }, i);
      }
      sync_tasks();
      EXPECT_EQ(sum, number{3'000'000} * 2'999'999 / 2);
    });
  }
}

/// What a frame holds stays while those above it come and go.
TEST(Order, LargeFramesWhoseTasksFork) {
  for (const unsigned threads : {1U, 2U, 3U}) {
    pool(threads).run([] {
      shared<number> it(0U);
      const auto fork_two = [](rwp<number> own) {
        fork_task(increment, own);
        fork_task(increment, own);
      };
      for (int i = 0; i < 200'000; ++i) fork_task(fork_two, it);
      sync_tasks();
      EXPECT_EQ(*it, 400'000U);
    });
  }
}

/// A frame that is large, on top of one that is, and both are used again.
void fork_many(rwp<number> it, int many, int depth) {
  for (int round = 0; round < 2; ++round) {
    for (int i = 0; i < many; ++i) fork_task(increment, it);
    if (depth > 0) fork_task(fork_many, it, many, depth - 1);
    for (int i = 0; i < many; ++i) fork_task(increment, it);
    if (round == 0) sync_tasks();
  }
}

TEST(Order, LargeFramesOnLargeFrames) {
  for (const unsigned threads : {1U, 2U}) {
    pool(threads).run([] {
      shared<number> it(0U);
      fork_task(fork_many, it, 100'000, 1);
      fork_task(increment, it);
      sync_tasks();
      EXPECT_EQ(*it, 2U * 200'000 + 2U * 400'000 + 1);
    });
  }
}

/// What is forked before sync_tasks has ended behind it; inside of the last task of a frame, too, and of the last task of that.
TEST(Order, SyncInsideTheLastTask) {
  for (const unsigned threads : {1U, 2U, 4U}) {
    pool(threads).run([] {
      for (int round = 0; round < 300; ++round) {
        shared<number> it(0U);
        fork_task(append_digit, it, 1U);
        fork_task(
            [](rwp<number> own) {
              std::atomic<int> ran{0};
              for (int i = 1; i <= 3; ++i) {
                fork_task([&ran] { ++ran; });
                fork_task(append_digit, own, 2U);
                fork_task(
                    [&ran](rwp<number> its) {
                      shared<number> local(1U);
                      fork_task(append_digit, local, 3U);
                      sync_tasks();
                      EXPECT_EQ(*local, 34U);
                      fork_task(append_digit, its, 4U);
                      ++ran;
                    },
                    own);
                sync_tasks();
                EXPECT_EQ(ran, 2 * i);
              }
            },
            it);
        sync_tasks();
        number expected = 1;
        for (int i = 0; i < 3; ++i) expected = (expected * 31 + 2) * 31 + 4;
        ASSERT_EQ(*it, expected);
      }
    });
  }
}

TEST(Order, SyncWithNothingForked) {
  sync_tasks();
  pool(2).run([] {
    sync_tasks();
    fork_task([] { sync_tasks(); });
    sync_tasks();
    sync_tasks();
  });
}

/// Threads of the program's own, in one pool; more than have room in it.
TEST(Order, FromManyThreads) {
  pool all(3);
  for (const std::size_t count : {3U, 80U}) {
    std::vector<std::thread> threads;
    std::atomic<int> right{0};
    for (std::size_t i = 0; i < count; ++i) {
      threads.emplace_back([&] {
        all.run([&right] {
          shared<number> it(0U);
          for (int round = 1; round <= 20; ++round) {
            for (int k = 0; k < 20; ++k) {
              fork_task(nest, it, 3);
              fork_task(increment, it);
            }
            sync_tasks();
            if (*it == static_cast<number>(round) * 100) ++right;
          }
        });
      });
    }
    for (auto& each : threads) each.join();
    EXPECT_EQ(right, 20 * static_cast<int>(count));
  }
}

/// Tasks of a thread that never waits for them run when it ends.
TEST(Order, AThreadThatEndsRunsWhatItHasForked) {
  for (int round = 0; round < 50; ++round) {
    std::atomic<number> ran{0};
    std::thread([&ran] {
      for (int i = 0; i < 100; ++i) {
        fork_task([&ran] {
          fork_task([&ran] { ++ran; });
          ++ran;
        });
      }
    }).join();
    ASSERT_EQ(ran, 200U);
  }
}

/// A reader sees what was written before it although its writer had begun when the others were handed over.
TEST(Order, ReadersOfWhatHasBegun) {
  for (int round = 0; round < 200; ++round) {
    pool(2).run([] {
      rendezvous both(2);
      shared<number> it(0U), copy(0U);
      std::array<number, 600> much{1};
      fork_task(
          [&both](rw<number> own, const std::array<number, 600>& its) {
            EXPECT_TRUE(both.come()) << "nobody has come";
            *own = its[0];
          },
          it, much);
      fork_task([](r<number> own, w<number> to) { *to = *own + 1; }, it, copy);
      fork_task([&both] { EXPECT_TRUE(both.come()) << "nobody has come"; });
      sync_tasks();
      EXPECT_EQ(*copy, 2U);
    });
  }
}

}  // namespace
