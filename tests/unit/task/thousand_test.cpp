// SPDX-License-Identifier: Apache-2.0
// What can go wrong, a thousand times each: exceptions, cancellation, pools that end, children of fork, threads that the system
// refuses. It ends every time, and with the right result.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <steelyard/dataflow.hpp>
#include <steelyard/pool.hpp>
#include <steelyard/task.hpp>

#include "../loop/child.hpp"
#include "tasks.hpp"

namespace {

using loop_tests::counted;
using loop_tests::in_child;
using steelyard::fork_task;
using steelyard::pool;
using steelyard::rw;
using steelyard::shared;
using steelyard::sync_tasks;
using steelyard::task_group;
using task_tests::fib;

constexpr int runs = loop_tests::under_sanitizer ? 100 : 1000;
/// Depths from 1 to 1,000.
constexpr int depth_of(int run) { return run * (1000 / runs); }

class Thousand : public testing::TestWithParam<unsigned> {
 protected:
  template <class F>
  void each(F f) {
    pool all(GetParam());
    all.run([&f] {
      for (int run = 1; run <= runs && !HasFatalFailure() && !HasFailure(); ++run) f(run);
    });
    all.run([] { EXPECT_EQ(fib(12), 144); });
  }
};

struct depth_reached {
  int depth;
};

int join_until(int depth, const counted& it) {
  if (depth == 0) throw depth_reached{0};
  const auto [a, b] = steelyard::join([depth, it] { return depth % 2 == 0 ? join_until(depth - 1, it) : 1; },
                                      [depth, it] { return depth % 2 == 0 ? 1 : join_until(depth - 1, it); });
  return a + b;
}

TEST_P(Thousand, JoinsThatThrow) {
  each([](int run) {
    EXPECT_THROW(join_until(depth_of(run), counted()), depth_reached);
    EXPECT_EQ(counted::alive, 0);
  });
}

void scope_until(int depth, const counted& it) {
  if (depth == 0) throw depth_reached{0};
  steelyard::scope([depth, &it](task_group& group) {
    group.spawn([] {});
    group.spawn([depth, it] { scope_until(depth - 1, it); });
  });
}

TEST_P(Thousand, GroupsThatThrow) {
  each([](int run) {
    EXPECT_THROW(scope_until(depth_of(run), counted()), depth_reached);
    EXPECT_EQ(counted::alive, 0);
  });
}

void fork_until(int depth, counted it) {
  if (depth == 0) throw depth_reached{0};
  fork_task([](counted) {}, it);
  fork_task(fork_until, depth - 1, it);
}

TEST_P(Thousand, DataflowThatThrows) {
  each([](int run) {
    fork_task(fork_until, depth_of(run), counted());
    EXPECT_THROW(sync_tasks(), depth_reached);
    EXPECT_EQ(counted::alive, 0);
  });
}

/// By one task of a hundred, while others run.
TEST_P(Thousand, GroupsThatAreCancelled) {
  each([](int run) {
    std::atomic<int> ran{0};
    {
      task_group group;
      for (int i = 0; i < 100; ++i) {
        group.spawn([&, i, it = counted()] {
          ++ran;
          if (i == run % 100) group.cancel();
        });
      }
      group.wait();
    }
    EXPECT_GE(ran, 1);
    EXPECT_LE(ran, 100);
    EXPECT_EQ(counted::alive, 0);
  });
}

void append(rw<std::uint64_t> it, int digit) { *it = *it * 31 + static_cast<std::uint64_t>(digit); }

/// A pool ends as soon as the function has returned that forked its tasks, and all have run.
TEST_P(Thousand, PoolsThatEndWithTasksForked) {
  for (int run = 1; run <= runs && !HasFailure(); ++run) {
    shared<std::uint64_t> value(0U);
    std::atomic<int> ran{0};
    pool(GetParam()).run([&] {
      for (int i = 0; i < 20; ++i) {
        fork_task(append, value, i);
        fork_task([&ran] { ++ran; });
      }
    });
    std::uint64_t expected = 0;
    for (std::uint64_t i = 0; i < 20; ++i) expected = expected * 31 + i;
    EXPECT_EQ(*value, expected);
    EXPECT_EQ(ran, 20);
  }
}

bool is_right() {
  shared<std::uint64_t> value(0U);
  fork_task(append, value, 1);
  fork_task(append, value, 2);
  sync_tasks();
  return fib(10) == 55 && *value == 33;
}

/// Of a process that uses the pool.
TEST_P(Thousand, ChildrenOfFork) {
  if (loop_tests::under_thread_sanitizer) GTEST_SKIP() << "it starts no threads in such a child";
  pool all(GetParam());
  for (int run = 1; run <= runs && !HasFailure(); ++run) {
    all.run([] { EXPECT_TRUE(is_right()); });
    const auto how = in_child({}, [&all] {
      bool right = false;
      all.run([&right] { right = is_right(); });
      return right ? 0 : 1;
    });
    EXPECT_TRUE(how.fine()) << how;
  }
}

TEST_P(Thousand, ThreadsThatTheSystemRefuses) {
  if (loop_tests::under_sanitizer) GTEST_SKIP() << "a sanitizer needs its address space";
  const auto wanted = GetParam() * 1000;
  const auto how = in_child({}, [wanted] {
    REQUIRE(is_right());
    loop_tests::limit_address_space(600UL
                                    << 20);  // room for some threads, of 8 MiB each, and for the tasks of one or two
    for (int run = 1; run <= runs; ++run) {
      pool few(wanted);
      REQUIRE(few.threads() < wanted);
      bool right = false;
      few.run([&right] { right = is_right(); });
      REQUIRE(right);
    }
    return 0;
  });
  EXPECT_TRUE(how.fine()) << how;
}

INSTANTIATE_TEST_SUITE_P(threads, Thousand, testing::Values(1U, 2U, 4U));

}  // namespace
