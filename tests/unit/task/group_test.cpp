// SPDX-License-Identifier: Apache-2.0
// Groups and scopes: everything that is spawned runs once, before the wait returns.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <memory>
#include <stdexcept>
#include <steelyard/loop.hpp>
#include <steelyard/pool.hpp>
#include <steelyard/task.hpp>
#include <thread>

#include "tasks.hpp"

namespace {

using steelyard::join;
using steelyard::pool;
using steelyard::scope;
using steelyard::task_group;
using task_tests::meeting;

TEST(Group, RunsEverythingOnce) {
  for (const unsigned threads : {1U, 2U, 5U}) {
    pool(threads).run([] {
      std::array<std::atomic<int>, 3000> runs{};
      scope([&runs](task_group& all) {
        for (auto& each : runs) all.spawn([&each] { ++each; });
      });
      for (const auto& each : runs) ASSERT_EQ(each, 1);
    });
  }
}

void tree(task_group& all, std::atomic<int>& leaves, int depth) {
  if (depth == 0) {
    ++leaves;
    return;
  }
  for (int i = 0; i < 2; ++i) all.spawn([&all, &leaves, depth] { tree(all, leaves, depth - 1); });
}

TEST(Group, TasksSpawnIntoIt) {
  for (const unsigned threads : {1U, 2U, 4U}) {
    pool(threads).run([] {
      std::atomic<int> leaves{0};
      scope([&leaves](task_group& all) { tree(all, leaves, 12); });
      EXPECT_EQ(leaves, 4096);
    });
  }
}

int nested(int depth) {
  if (depth == 0) return 1;
  std::array<int, 3> parts{};
  scope([&parts, depth](task_group& all) {
    for (auto& each : parts) all.spawn([&each, depth] { each = nested(depth - 1); });
  });
  return parts[0] + parts[1] + parts[2];
}

TEST(Group, ScopesInScopes) {
  for (const unsigned threads : {1U, 2U, 4U}) {
    pool(threads).run([] { EXPECT_EQ(nested(8), 6561); });
  }
  EXPECT_EQ(nested(5), 243);
}

/// Each spawns the next and returns: no stack, and no memory that grows.
void chain(task_group& all, std::atomic<int>& left) {
  if (--left > 0) all.spawn([&all, &left] { chain(all, left); });
}

TEST(Group, ChainOfAMillion) {
  for (const unsigned threads : {1U, 2U}) {
    pool(threads).run([] {
      std::atomic<int> left{1'000'000};
      scope([&left](task_group& all) { chain(all, left); });
      EXPECT_EQ(left, 0);
    });
  }
}

/// From a half of a join, from a loop, and from a thread that is in no pool.
TEST(Group, FromAnywhere) {
  std::atomic<int> runs{0};
  const auto add = [&runs] { ++runs; };
  pool(3).run([&] {
    scope([&](task_group& all) {
      for (int i = 0; i < 200; ++i) {
        join(
            [&] {
              all.spawn(add);
              join([&] { all.spawn(add); }, [&] { all.spawn(add); });
            },
            [&] { all.spawn(add); });
      }
      steelyard::parallel_for(0, 200, [&](int) { all.spawn(add); }, {.always_parallel = true});
      std::thread([&] { all.spawn(add); }).join();
    });
  });
  EXPECT_EQ(runs, 1001);
}

TEST(Group, IsUsedAgain) {
  pool(2).run([] {
    task_group all;
    std::atomic<int> runs{0};
    for (int i = 1; i <= 500; ++i) {
      all.spawn([&runs] { ++runs; });
      all.spawn([&runs] { ++runs; });
      all.wait();
      ASSERT_EQ(runs, 2 * i);
    }
  });
}

/// An older group is waited for first, and makes room below the younger one's first task.
TEST(Group, InAnyOrder) {
  for (const unsigned threads : {1U, 2U}) {
    pool(threads).run([] {
      for (int round = 0; round < 100; ++round) {
        std::atomic<int> runs{0};
        task_group older;
        older.spawn([&runs] { ++runs; });
        task_group younger;
        older.wait();
        younger.spawn([&runs] { ++runs; });
        younger.wait();
        ASSERT_EQ(runs, 2);
      }
    });
  }
}

/// A worker that took part in a loop runs what the loop's body has spawned there, though it waits for nothing.
TEST(Group, OfALoopsBody) {
  pool(2).run([] {
    for (int round = 0; round < 20; ++round) {
      std::atomic<int> runs{0};
      scope([&](task_group& all) {
        meeting there;  // the worker has tasks from now on
        join([&there] { EXPECT_TRUE(there.wait()); }, [&there] { there.come(); });
        steelyard::parallel_for(0, 50, [&](int) { all.spawn([&runs] { ++runs; }); }, {.always_parallel = true});
      });
      ASSERT_EQ(runs, 50);
    }
  });
}

TEST(Group, WaitsInAnotherPool) {
  pool outer(2), inner(2);
  outer.run([&inner] {
    std::atomic<int> runs{0};
    task_group all;
    for (int i = 0; i < 10; ++i) all.spawn([&runs] { ++runs; });
    inner.run([&] {
      join([&] { all.spawn([&runs] { ++runs; }); }, [&] { all.spawn([&runs] { ++runs; }); });
      all.wait();
    });
    EXPECT_EQ(runs, 12);
    all.spawn([&runs] { ++runs; });
    all.wait();
    EXPECT_EQ(runs, 13);
  });
}

TEST(Group, TakesAnyFunction) {
  pool(2).run([] {
    std::atomic<int> sum{0};
    {
      task_group all;
      all.spawn([&sum, much = std::array<int, 40>{1}] { sum += much[0]; });
      all.spawn([&sum, own = std::make_unique<int>(20)] { sum += *own; });
      all.spawn([&sum, shared = std::make_shared<int>(300)]() mutable { sum += *std::exchange(shared, nullptr); });
      const auto kept = [&sum, shared = std::make_shared<int>(4000)] { sum += *shared; };
      all.spawn(kept);
    }
    EXPECT_EQ(sum, 4321);
  });
}

TEST(Group, ThrowsTheFirstException) {
  for (const unsigned threads : {1U, 2U}) {
    pool(threads).run([] {
      EXPECT_THROW(scope([](task_group& all) {
                     for (int i = 0; i < 100; ++i) all.spawn([] { throw std::runtime_error("a task"); });
                   }),
                   std::runtime_error);
      std::atomic<int> ended{0};
      EXPECT_THROW(scope([&ended](task_group& all) {
                     all.spawn([&ended] { ++ended; });
                     throw std::logic_error("the function itself");
                   }),
                   std::logic_error);
      EXPECT_EQ(ended, 1);
    });
  }
}

/// A task that has thrown spares those that have not begun.
TEST(Group, DropsTheRest) {
  pool(1).run([] {
    int ran = 0;
    task_group all;
    all.spawn([&ran] { ++ran; });
    all.spawn([] { throw 1; });  // runs first: the youngest
    EXPECT_THROW(all.wait(), int);
    EXPECT_EQ(ran, 0);
    EXPECT_TRUE(all.has_failed());
  });
}

/// The owner computes without calling the library; its oldest tasks run meanwhile.
TEST(Group, OthersComeThoughTheOwnerComputes) {
  pool(2).run([] {
    std::array<meeting, 8> each;
    scope([&each](task_group& all) {
      for (auto& one : each) all.spawn([&one] { one.come(); });
      for (auto& one : each) ASSERT_TRUE(one.wait());
    });
  });
}

TEST(Group, CancelledTasksThatHaveNotBegunAreDropped) {
  for (const unsigned threads : {1U, 2U, 4U}) {
    int dropped = 0;  // of one round perhaps none: others may be through before the task that cancels begins
    steelyard::pool(threads).run([&dropped] {
      for (int round = 0; round < 50; ++round) {
        steelyard::task_group group;
        std::atomic<int> ran{0};
        std::atomic<bool> cancelled{false};
        std::atomic<int> late{0};
        for (int i = 0; i < 200; ++i) {
          group.spawn([&, i] {
            const bool begun_late = cancelled;
            if (i == 100) {
              group.cancel();
              cancelled = true;
            }
            ++ran;
            late += begun_late ? 1 : 0;
          });
        }
        group.wait();
        EXPECT_TRUE(group.has_failed());
        dropped += 200 - ran;
        EXPECT_LT(late, 8);  // those that another thread was just about to begin
      }
    });
    EXPECT_GT(dropped, 0) << threads;
  }
}

/// What copies a task may use tasks itself, which lie where it will.
TEST(Group, ATaskWhoseCopyUsesTasks) {
  struct busy {
    std::atomic<int>* ran = nullptr;
    std::array<char, 64> too_large_for_a_slot{};
    explicit busy(std::atomic<int>& count) : ran(&count) {}
    busy(const busy& other) : ran(other.ran) {
      scope([&](task_group& inner) {
        for (int i = 0; i < 3; ++i) inner.spawn([counts = ran] { ++*counts; });
      });
    }
    void operator()() const { *ran += 100; }
  };
  for (const unsigned threads : {1U, 2U}) {
    std::atomic<int> ran{0};
    pool(threads).run([&ran] {
      const busy task(ran);
      scope([&](task_group& all) {
        all.spawn(task);
        all.spawn(task);
      });
    });
    EXPECT_EQ(ran, 206) << threads;
  }
}

}  // namespace
