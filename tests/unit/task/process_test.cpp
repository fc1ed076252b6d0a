// SPDX-License-Identifier: Apache-2.0
// Tasks and what concerns the whole process.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <atomic>
#include <steelyard/pool.hpp>
#include <steelyard/task.hpp>

#include "../loop/child.hpp"
#include "tasks.hpp"

namespace {

using steelyard::pool;
using task_tests::fib;

using loop_tests::in_child;

TEST(Process, AChildOfForkHasItsOwnThreads) {
  if (loop_tests::under_thread_sanitizer) GTEST_SKIP() << "it starts no threads in such a child";
  pool three(3);
  three.run([] { EXPECT_EQ(fib(15), 610); });
  const auto how = in_child({}, [&three] {
    bool right = false;
    three.run([&right] { right = fib(18) == 2584; });
    return right ? 0 : 1;
  });
  EXPECT_TRUE(how.fine()) << how;
  three.run([] { EXPECT_EQ(fib(15), 610); });
}

/// It goes on to exist in the child, where new ones can be made.
TEST(Process, AGroupIsThereWhenTheProcessForks) {
  if (loop_tests::under_thread_sanitizer) GTEST_SKIP() << "it starts no threads in such a child";
  steelyard::task_group idle;
  const auto how = in_child({}, [&idle] {
    std::atomic<int> ran{0};
    for (int round = 0; round < 10; ++round) {
      steelyard::task_group another;
      for (int i = 0; i < 10; ++i) another.spawn([&ran] { ++ran; });
      idle.spawn([&ran] { ++ran; });
      another.wait();
    }
    idle.wait();
    return ran == 110 && fib(15) == 610 ? 0 : 1;
  });
  EXPECT_TRUE(how.fine()) << how;
  std::atomic<int> ran{0};
  idle.spawn([&ran] { ++ran; });
  idle.wait();
  EXPECT_EQ(ran, 1);
}

TEST(Process, PoolsComeAndGo) {
  for (int i = 0; i < 100; ++i) {
    pool(3).run([] { ASSERT_EQ(fib(8), 21); });
  }
}

TEST(Process, LittleAddressSpace) {
  if (loop_tests::under_sanitizer) GTEST_SKIP() << "a sanitizer needs its address space";
  const auto how = in_child({}, [] {
    pool two(2);
    const rlimit tight{std::uint64_t{200} << 20, std::uint64_t{200} << 20};
    REQUIRE(setrlimit(RLIMIT_AS, &tight) == 0);
    bool right = false;
    two.run([&right] { right = fib(15) == 610; });
    return right ? 0 : 1;
  });
  EXPECT_TRUE(how.fine()) << how;
}

}  // namespace
