// SPDX-License-Identifier: Apache-2.0
// What a waiting thread may run: src/runtime/join.md. Each pattern has stood still, or overflowed a stack, in a runtime whose
// waiting threads take any task.
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <steelyard/pool.hpp>
#include <steelyard/task.hpp>
#include <thread>
#include <vector>

#include "../workers_asleep.hpp"
#include "tasks.hpp"

namespace {

using steelyard::join;
using steelyard::pool;
using steelyard::scope;
using steelyard::task_group;
using task_tests::fib;
using task_tests::meeting;

/// A lock held across a join, and every other task wants the same lock (rayon#592, feral#104, dealii#17669).
TEST(Discipline, ALockAcrossAJoin) {
  for (const unsigned threads : {2U, 3U, 4U}) {
    pool(threads).run([] {
      std::mutex lock;
      int sum = 0;
      scope([&](task_group& all) {
        for (int i = 0; i < 300; ++i) {
          all.spawn([&] {
            const std::lock_guard holds(lock);
            const auto [a, b] = join([] { return fib(6); }, [] { return fib(6); });
            sum += a + b;
          });
        }
      });
      EXPECT_EQ(sum, 300 * 16);
    });
  }
}

/// A value made once, in parallel, by whoever comes first, while the others wait for it (polars#22159, aptos-core#19615).
TEST(Discipline, AValueMadeOnce) {
  pool(4).run([] {
    for (int round = 0; round < 50; ++round) {
      std::once_flag once;
      int value = 0;
      const auto get = [&] {
        std::call_once(once, [&value] { value = fib(10); });
        return value;
      };
      std::atomic<int> sum{0};
      scope([&](task_group& all) {
        for (int i = 0; i < 20; ++i) {
          all.spawn([&] {
            const auto [a, b] = join(get, get);
            sum += a + b;
          });
        }
      });
      ASSERT_EQ(sum, 20 * 2 * 55);
    }
  });
}

/// The same with groups inside the lock (taskflow#647).
TEST(Discipline, ALockAcrossAScope) {
  pool(3).run([] {
    std::vector<std::mutex> locks(4);
    std::atomic<int> sum{0};
    scope([&](task_group& all) {
      for (unsigned i = 0; i < 400; ++i) {
        all.spawn([&locks, &sum, i] {
          const std::lock_guard holds(locks[i % locks.size()]);
          scope([&sum](task_group& inner) {
            for (int k = 0; k < 4; ++k) inner.spawn([&sum] { sum += fib(4); });
          });
        });
      }
    });
    EXPECT_EQ(sum, 400 * 4 * 3);
  });
}

/// How much stack the deepest frame of a tree of tasks has above the shallowest one of its thread.
class stack_height {
 public:
  void look() {
    char here = 0;
    const auto at = reinterpret_cast<std::uintptr_t>(&here);
    thread_local std::uintptr_t base = 0;
    thread_local const stack_height* of = nullptr;
    if (of != this) base = at, of = this;
    if (at > base) base = at;
    auto most = most_.load();
    while (base - at > most && !most_.compare_exchange_weak(most, base - at)) {
    }
  }
  [[nodiscard]] std::size_t most() const { return most_; }

 private:
  std::atomic<std::size_t> most_{0};
};

/// An unbalanced tree, deep and narrow with twigs: a thread that helps with anything piles wait on wait.
void deep(int depth, stack_height& height) {
  height.look();
  if (depth == 0) return;
  join([depth, &height] { deep(depth - 1, height); },
       [depth, &height] { deep(depth % 7 == 0 ? depth / 4 : 0, height); });
}

TEST(Discipline, TheStackIsNoHigherThanTheSerialOne) {
  stack_height serial;
  pool(1).run([&serial] { deep(2000, serial); });
  for (const unsigned threads : {2U, 4U}) {
    for (int round = 0; round < 5; ++round) {
      stack_height parallel;
      pool(threads).run([&parallel] { deep(2000, parallel); });
      EXPECT_LE(parallel.most(), 2 * serial.most() + 65536);
    }
  }
}

/// What the three threads of a test have come to.
struct steps {
  meeting second;  ///< the second thread has a task
  meeting third;   ///< the third has
  meeting fourth;
  meeting done;
};

/// Three threads: the first waits for the second, which is busy until what the third has forked is done. Only the first is free, and that
/// descends from the task that it waits for, two thefts away.
TEST(Discipline, WhoWaitsHelpsTwoTheftsAway) {
  pool(3).run([] {
    for (int round = 0; round < 20; ++round) {
      steps at;
      join([&at] { EXPECT_TRUE(at.second.wait() && at.third.wait()); },
           [&at] {
             at.second.come();
             join([&at] { EXPECT_TRUE(at.third.wait() && at.done.wait()); },
                  [&at] {
                    at.third.come();
                    join([&at] { EXPECT_TRUE(at.done.wait()); }, [&at] { at.done.come(); });
                  });
           });
    }
  });
}

/// AddressSanitizer may put locals elsewhere, and of a group that is not on its thread's stack nothing is known but itself.
bool are_groups_on_the_stack() {
  const task_group group;
  const auto frame = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  return frame - reinterpret_cast<std::uintptr_t>(&group) < 65536;
}

TEST(Discipline, WhoWaitsForAGroupHelpsTwoTheftsAway) {
  pool(3).run([] {
    if (!are_groups_on_the_stack()) GTEST_SKIP() << "locals are not on the stack";
    for (int round = 0; round < 20; ++round) {
      steps at;
      scope([&at](task_group& first) {
        first.spawn([&at] {
          at.second.come();
          scope([&at](task_group& second) {
            second.spawn([&at] {
              at.third.come();
              scope([&at](task_group& third) {
                third.spawn([&at] { at.done.come(); });
                EXPECT_TRUE(at.done.wait());
              });
            });
            EXPECT_TRUE(at.third.wait() && at.done.wait());
          });
        });
        EXPECT_TRUE(at.second.wait() && at.third.wait());
      });
    }
  });
}

/// The second thread's task has spawned one, which the third has, and has ended. The first waits for another task then, whose slot is
/// the same. What the third forks does not descend from that.
TEST(Discipline, ATaskThatOutlastsAnotherNoLongerDescendsFromIt) {
  pool(3).run([] {
    for (int round = 0; round < 20; ++round) {
      steps at;
      const auto first = std::this_thread::get_id();
      scope([&](task_group& all) {
        const auto outlasts = [&at, first] {
          at.third.come();
          EXPECT_TRUE(at.fourth.wait());
          join([] { std::this_thread::sleep_for(std::chrono::milliseconds(2)); },
               [first] { EXPECT_NE(std::this_thread::get_id(), first); });
          at.done.come();
        };
        join([&at] { EXPECT_TRUE(at.second.wait() && at.third.wait()); },
             [&at, &all, outlasts] {
               at.second.come();
               all.spawn(outlasts);
               EXPECT_TRUE(at.third.wait());
             });
        join([&at] { EXPECT_TRUE(at.fourth.wait()); },
             [&at] {
               at.fourth.come();
               EXPECT_TRUE(at.done.wait());
             });
      });
    }
  });
}

/// A thread that has nothing to do sleeps, be it a worker or one that waits for a task.
TEST(Discipline, WhoWaitsSleeps) {
  const pool two(2);
  steelyard_pool_run(
      two.handle(),
      [](void*) {
        meeting there;
        EXPECT_EQ(fib(15), 610);
        join([&there] { static_cast<void>(there.wait()); },
             [&there, waiting = gettid()] {
               there.come();
               while (!workers_asleep::sleeps(waiting)) std::this_thread::sleep_for(std::chrono::milliseconds(1));
             });
        workers_asleep::wait_for(1);
      },
      nullptr);
}

}  // namespace
