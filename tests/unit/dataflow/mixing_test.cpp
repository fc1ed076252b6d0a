// SPDX-License-Identifier: Apache-2.0
// Dataflow together with joins, groups, loops and other pools.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <mutex>
#include <steelyard/loop.hpp>
#include <steelyard/task.hpp>
#include <thread>

#include "helpers.hpp"

namespace {

using namespace dataflow_tests;
using steelyard::join;
using steelyard::scope;
using steelyard::task_group;

void increment(rw<number> it) { ++*it; }

/// A tree of tasks, and what it counts.
void tree(rwp<number> it, int depth) {
  fork_task(increment, it);
  if (depth == 0) return;
  fork_task(tree, it, depth - 1);
  fork_task(tree, it, depth - 1);
}

number tree_counted(int depth) {
  shared<number> it(0U);
  fork_task(tree, it, depth);
  sync_tasks();
  return *it;
}

number fib(number n) {
  if (n < 2) return n;
  const auto [a, b] = join([n] { return fib(n - 1); }, [n] { return fib(n - 2); });
  return a + b;
}

TEST(Mixing, InTheBodyOfALoop) {
  for (const unsigned threads : {1U, 2U, 4U}) {
    pool(threads).run([] {
      for (int round = 0; round < 30; ++round) {
        std::atomic<int> right{0}, ran{0};
        steelyard::parallel_for(0, 64,
                                [&](int) {
                                  if (tree_counted(3) == 15) ++right;
                                  fork_task([&ran] { ++ran; });  // nobody waits here
                                },
                                {.always_parallel = true});
        sync_tasks();
        EXPECT_EQ(right, 64);
        EXPECT_EQ(ran, 64);
      }
    });
  }
}

TEST(Mixing, LoopsInTasks) {
  for (const unsigned threads : {1U, 3U}) {
    pool(threads).run([] {
      std::atomic<int> sum{0};
      for (int i = 0; i < 50; ++i) {
        fork_task([&sum] {
          fork_task([&sum] { ++sum; });
          steelyard::parallel_for(0, 100, [&sum](int) { ++sum; }, {.always_parallel = true});
        });
      }
      sync_tasks();
      EXPECT_EQ(sum, 50 * 101);
    });
  }
}

/// Both halves fork, the stolen one, too.
TEST(Mixing, InTheHalvesOfAJoin) {
  for (const unsigned threads : {1U, 2U, 4U}) {
    pool(threads).run([] {
      for (int round = 0; round < 50; ++round) {
        const auto [a, b] = join([] { return tree_counted(4); }, [] { return tree_counted(5); });
        EXPECT_EQ(a, 31U);
        EXPECT_EQ(b, 63U);
      }
    });
  }
  pool(2).run([] {
    rendezvous both(2);
    const auto [a, b] = join(
        [&both] {
          EXPECT_TRUE(both.come()) << "nobody has come";
          return tree_counted(4);
        },
        [&both] {
          EXPECT_TRUE(both.come());
          shared<number> it(1U);
          fork_task(increment, it);
          sync_tasks();
          EXPECT_EQ(*it, 2U);
          return tree_counted(5);
        });
    EXPECT_EQ(a, 31U);
    EXPECT_EQ(b, 63U);
  });
}

TEST(Mixing, JoinsInTasks) {
  for (const unsigned threads : {1U, 2U, 4U}) {
    pool(threads).run([] {
      std::atomic<number> sum{0};
      for (int i = 0; i < 100; ++i) {
        fork_task([&sum] {
          fork_task([&sum] { sum += fib(8); });
          sum += fib(10);
          sync_tasks();
          sum += fib(6);
        });
      }
      sync_tasks();
      EXPECT_EQ(sum, 100U * (55 + 21 + 8));
    });
  }
}

/// A task of a group forks, and waits: who runs it, thief or owner, has its results.
TEST(Mixing, InTheTasksOfAGroup) {
  for (const unsigned threads : {1U, 2U, 4U}) {
    pool(threads).run([] {
      for (int round = 0; round < 50; ++round) {
        std::atomic<int> right{0};
        scope([&right](task_group& all) {
          for (int i = 0; i < 20; ++i) {
            all.spawn([&right] {
              if (tree_counted(3) == 15) ++right;
            });
          }
        });
        ASSERT_EQ(right, 20);
      }
    });
  }
}

/// A group's wait returns when its tasks have ended, and with them what they have forked.
TEST(Mixing, AGroupWaitsForWhatItsTasksFork) {
  for (const unsigned threads : {1U, 2U, 4U}) {
    pool(threads).run([] {
      std::atomic<int> ran{0};
      scope([&ran](task_group& all) {
        for (int i = 0; i < 20; ++i) {
          all.spawn([&ran] { fork_task([&ran] { ++ran; }); });
        }
      });
      EXPECT_EQ(ran, 20);
      sync_tasks();
    });
  }
}

TEST(Mixing, GroupsInTasks) {
  for (const unsigned threads : {1U, 2U, 4U}) {
    pool(threads).run([] {
      for (int round = 0; round < 20; ++round) {
        std::atomic<int> sum{0};
        for (int i = 0; i < 20; ++i) {
          fork_task([&sum] {
            scope([&sum](task_group& all) {
              for (int k = 0; k < 5; ++k) all.spawn([&sum] { ++sum; });
              fork_task([&sum] { ++sum; });
              sync_tasks();
            });
            fork_task([&sum] { ++sum; });
          });
        }
        sync_tasks();
        ASSERT_EQ(sum, 20 * 7);
      }
    });
  }
}

/// Tasks spawn into a group that is older than their frame; those that are left over there fork and wait.
TEST(Mixing, TasksOfAnOuterGroupThatFork) {
  for (const unsigned threads : {1U, 2U, 3U, 8U}) {
    pool(threads).run([] {
      for (int round = 0; round < 100; ++round) {
        std::atomic<int> right{0}, ran{0};
        scope([&](task_group& all) {
          fork_task([&] {
            for (int i = 0; i < 40; ++i) {
              fork_task([&] {
                ++ran;
                all.spawn([&right] {
                  if (tree_counted(2) == 7) ++right;
                });
                loop_tests::compute(std::chrono::microseconds(5));
              });
            }
          });
          fork_task([&ran] { ++ran; });
          sync_tasks();
          EXPECT_EQ(ran, 41);
        });
        ASSERT_EQ(right, 40);
      }
    });
  }
}

/// A frame in one pool, and in it another pool that has frames.
TEST(Mixing, AnotherPoolInside) {
  pool outer(2), inner(3);
  for (int round = 0; round < 50; ++round) {
    outer.run([&inner] {
      shared<number> it(0U);
      std::array<number, 8> counted{};
      for (auto& each : counted) {
        fork_task(increment, it);
        fork_task([&inner, &each] { inner.run([&each] { each = tree_counted(4); }); });
      }
      inner.run([] { EXPECT_EQ(tree_counted(3), 15U); });
      fork_task(increment, it);
      sync_tasks();
      EXPECT_EQ(*it, 9U);
      for (const auto each : counted) EXPECT_EQ(each, 31U);
    });
  }
}

/// Where the function that a pool runs does not wait for what it has forked, that has run when the pool's `run` returns: the
/// objects of the function are gone then, and soon the pool.
TEST(Mixing, APoolRunsWhatWasForkedInIt) {
  std::thread([] {
    for (int round = 0; round < 3; ++round) {
      std::atomic<int> ran{0};
      {
        pool all(2);
        all.run([&ran] {
          for (int i = 0; i < 10; ++i) fork_task([&ran] { ++ran; });
        });
        EXPECT_EQ(ran, 10);
      }
    }
  }).join();
}

/// The same inside a frame of another pool, whose own tasks are left alone.
TEST(Mixing, AnotherPoolInsideWithoutAWait) {
  pool outer(2), inner(2);
  outer.run([&inner] {
    std::atomic<number> ran{0}, ran_inside{0};
    for (int round = 0; round < 10; ++round) {
      for (int i = 0; i < 10; ++i) fork_task([&ran](number own) { ran += own; }, number{1});
      inner.run([&ran_inside] {
        for (int i = 0; i < 10; ++i) fork_task([&ran_inside](number own) { ran_inside += own; }, number{1});
      });
      EXPECT_EQ(ran_inside, 10U * static_cast<unsigned>(round + 1));
    }
    sync_tasks();
    EXPECT_EQ(ran, 100U);
  });
}

/// Many tasks that call f() under one lock.
template <class F>
void expect_under_a_lock(F f, number each) {
  for (const unsigned threads : {2U, 4U}) {
    pool(threads).run([f, each] {
      std::mutex lock;
      number sum = 0;
      for (int i = 0; i < 200; ++i) {
        fork_task([&] {
          const std::lock_guard holds(lock);
          sum += f();
        });
      }
      sync_tasks();
      EXPECT_EQ(sum, 200U * each);
    });
  }
}

/// A lock held across a wait, which tasks that have nothing to do with it want, too (../task/discipline_test.cpp).
TEST(Mixing, ALockAcrossAWait) {
  expect_under_a_lock([] { return tree_counted(3); }, 15);
}

/// One thread's tasks are out of its way while it waits for a join: that may not run them under a lock.
TEST(Mixing, ALockAcrossAJoin) {
  expect_under_a_lock([] { return fib(8); }, 21);
}

}  // namespace
