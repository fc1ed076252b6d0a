// SPDX-License-Identifier: Apache-2.0
// What halves of joins, tasks of groups and bodies of loops fork on other threads than the task that has called them: it comes
// after what that has forked before, and others may run it.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <stdexcept>
#include <steelyard/task.hpp>

#include "helpers.hpp"

namespace {

using namespace dataflow_tests;
using steelyard::join;
using steelyard::scope;
using steelyard::task_group;

/// Of each way to call f(i) for i = 0 … 3, not all on this thread where another comes.
template <class F>
void by_a_join(F f) {
  join([&f] { join([&f] { f(0); }, [&f] { f(1); }); }, [&f] { join([&f] { f(2); }, [&f] { f(3); }); });
}
template <class F>
void by_a_family(F f) {
  steelyard::join_each(4, [&f](std::size_t i) { f(static_cast<int>(i)); });
}
template <class F>
void by_a_group(F f) {
  scope([&f](task_group& all) {
    for (int i = 0; i < 4; ++i) all.spawn([&f, i] { f(i); });
  });
}
template <class F>
void by_futures(F f) {
  task_group all;
  const auto first = all.async([&f] { f(0); });
  const auto second = all.after([&f](steelyard::nothing) { f(1); }, first);
  const auto third = all.after([&f](steelyard::nothing) { f(2); }, first);
  const auto last = all.after([&f](steelyard::nothing, steelyard::nothing) { f(3); }, second, third);
  all.wait();
}
template <class F>
void by_a_loop(F f) {
  steelyard::parallel_for(0, 4, f, parallel());
}

/// test(threads, call) for each.
template <class Test>
void for_each_way(Test test) {
  for (const unsigned threads : {1U, 2U, 4U}) {
    test(threads, [](auto f) { by_a_join(f); });
    test(threads, [](auto f) { by_a_family(f); });
    test(threads, [](auto f) { by_a_group(f); });
    test(threads, [](auto f) { by_futures(f); });
    test(threads, [](auto f) { by_a_loop(f); });
  }
}

TEST(Elsewhere, WhatWasForkedBeforeComesFirst) {
  for_each_way([](unsigned threads, auto call) {
    pool(threads).run([&call] {
      for (int round = 0; round < 10; ++round) {
        shared<number> it(0U);
        std::array<std::atomic<number>, 4> seen{};
        fork_task(set_late, it);
        call([&](int i) {
          fork_task([&seen, i](r<number> value) { seen[static_cast<std::size_t>(i)] = *value; }, it);
          loop_tests::compute(std::chrono::microseconds(20));
        });
        sync_tasks();
        for (const auto& each : seen) ASSERT_EQ(each, 1U);
      }
    });
  });
}

/// The same in a task that another thread runs, and with a group that is older than what was forked.
TEST(Elsewhere, WhatWasForkedBeforeATaskOfAnOlderGroup) {
  for (const unsigned threads : {1U, 2U, 4U}) {
    pool(threads).run([] {
      for (int round = 0; round < 20; ++round) {
        std::atomic<number> sum{0};
        for (int i = 0; i < 4; ++i) {
          fork_task([&sum] {
            shared<number> it(0U);
            scope([&](task_group& all) {
              fork_task(set_late, it);
              all.spawn([&] { fork_task([&sum](r<number> value) { sum += *value; }, it); });
              all.spawn([&] { fork_task([&sum](r<number> value) { sum += *value; }, it); });
            });
          });
        }
        sync_tasks();
        ASSERT_EQ(sum, 8U);
      }
    });
  }
}

/// Two tasks that one function forks, each of which waits for the other: so they are not called one after the other, and where this
/// thread is busy, a third one has come.
void meet(std::atomic<int>& met) {
  rendezvous both(2);
  for (int i = 0; i < 2; ++i) {
    fork_task([&] {
      if (both.come()) ++met;
    });
  }
  sync_tasks();
}

TEST(Elsewhere, OthersRunWhatAStolenHalfForks) {
  pool(3).run([] {
    std::atomic<int> met{0};
    join([&met] { EXPECT_TRUE(becomes([&met] { return met == 2; })); }, [&met] { meet(met); });
    EXPECT_EQ(met, 2);
  });
}

TEST(Elsewhere, OthersRunWhatATaskOfAGroupForks) {
  pool(3).run([] {
    std::atomic<int> met{0};
    scope([&met](task_group& all) {
      all.spawn([&met] { meet(met); });
      EXPECT_TRUE(becomes([&met] { return met == 2; }));
    });
  });
}

TEST(Elsewhere, OthersRunWhatABodyForks) {
  pool(4).run([] {
    std::atomic<int> met{0};
    rendezvous all(2);
    steelyard::parallel_for(
        0, 2,
        [&](int) {
          EXPECT_TRUE(all.come());
          meet(met);
        },
        parallel());
    EXPECT_EQ(met, 4);
  });
}

TEST(Elsewhere, WhatTheyForkMayThrow) {
  for_each_way([](unsigned threads, auto call) {
    pool(threads).run([&call] {
      for (int round = 0; round < 10; ++round) {
        const auto run = [&call] {
          call([](int) { fork_task([] { throw std::runtime_error("from a task"); }); });
          sync_tasks();
        };
        EXPECT_THROW(run(), std::runtime_error);
        try {
          sync_tasks();  // what was forked here may have thrown, too
        } catch (const std::runtime_error&) {
        }
      }
    });
  });
}

/// What has been forked when a function throws has ended, at the latest, when the task has waited.
TEST(Elsewhere, TheyMayThrowWhenTheyHaveForked) {
  for_each_way([](unsigned threads, auto call) {
    pool(threads).run([&call] {
      std::array<std::atomic<int>, 20> ran{};
      std::array<int, 20> after{};
      for (std::size_t round = 0; round < ran.size(); ++round) {
        const auto run = [&] {
          call([&](int) {
            fork_task([&ran, round] { ++ran[round]; });
            throw std::logic_error("from the function itself");
          });
        };
        EXPECT_THROW(run(), std::logic_error);
        sync_tasks();
        after[round] = ran[round];
        EXPECT_LE(after[round], 4);
      }
      for (std::size_t round = 0; round < ran.size(); ++round) EXPECT_EQ(ran[round], after[round]);
    });
  });
}

/// All that they fork is noted, and in order.
TEST(Elsewhere, ARecordingNotesWhatTheyFork) {
  for_each_way([](unsigned threads, auto call) {
    pool(threads).run([&call] {
      shared<number> it(1U);
      recording noted([&] {
        call([&it](int i) { fork_task([i](rw<number> value) { *value = 10 * *value + static_cast<number>(i); }, it); });
      });
      EXPECT_EQ(*it, 1U);
      noted.run();
      EXPECT_EQ(*it, 10123U);
      noted.run();
      EXPECT_EQ(*it, 101230123U);
    });
  });
}

/// Joins and groups are shared again when what was forked has ended.
TEST(Elsewhere, JoinsAreSharedAgainBehindAFork) {
  pool(2).run([] {
    for (int round = 0; round < 20; ++round) {
      fork_task([] {
        fork_task([] {});
        rendezvous both(2);
        join([&both] { EXPECT_TRUE(both.come()); }, [&both] { EXPECT_TRUE(both.come()); });
        fork_task([] {});
        rendezvous again(2);
        scope([&again](task_group& all) {
          all.spawn([&again] { EXPECT_TRUE(again.come()); });
          EXPECT_TRUE(again.come());
        });
      });
      fork_task([] {});
      sync_tasks();
      rendezvous outside(2);
      join([&outside] { EXPECT_TRUE(outside.come()); }, [&outside] { EXPECT_TRUE(outside.come()); });
    }
  });
}

}  // namespace
