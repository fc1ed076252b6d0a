// SPDX-License-Identifier: Apache-2.0
// Where frames begin and end in unusual places: waits inside of what waits, seats that come and go, other pools, recordings.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <memory>
#include <stdexcept>
#include <steelyard/task.hpp>
#include <stop_token>
#include <thread>

#include "helpers.hpp"

namespace {

using namespace dataflow_tests;
using steelyard::join;
using steelyard::scope;
using steelyard::task_group;

/// f() on a thread that is in no pool, and in pools.
template <class F>
void everywhere(F f) {
  std::thread([&f] { f(); }).join();
  for (const unsigned threads : {1U, 2U, 4U}) pool(threads).run(f);
}

/// A task of its own that waits for what it has forked by a join, not by sync_tasks.
void fork_and_join() {
  fork_task([] {});
  join([] {}, [] {});
}
void throw_and_join() {
  fork_task([] { throw std::runtime_error("from a task"); });
  join([] {}, [] {});
}

TEST(Borders, AFrameEndsWithItsTask) {
  everywhere([] {
    for (int round = 0; round < 50; ++round) {
      std::atomic<int> wrong{0};
      task_group all;
      all.spawn(fork_and_join);
      fork_task([] {});
      all.wait();
      all.spawn([] { fork_task([](std::array<long, 40>) {}, std::array<long, 40>{}); });
      std::array<long, 60> ones{};
      ones.fill(1);
      const auto check = [&wrong](std::array<long, 60> given) {
        for (const long each : given) wrong += each != 1 ? 1 : 0;
      };
      fork_task(check, ones);
      all.wait();
      sync_tasks();
      ASSERT_EQ(wrong, 0);
    }
  });
}

TEST(Borders, NoExceptionIsLostBehindAJoin) {
  everywhere([] {
    for (int round = 0; round < 20; ++round) {
      EXPECT_THROW(scope([](task_group& all) { all.spawn(throw_and_join); }), std::runtime_error);
      task_group all;
      const auto value = all.async(throw_and_join);
      EXPECT_THROW(all.wait(), std::runtime_error);
      EXPECT_THROW(static_cast<void>(value.get()), std::runtime_error);
      const auto loop = [] {
        steelyard::parallel_for(
            0, 8, [](int) { throw_and_join(); }, parallel());
        sync_tasks();
      };
      EXPECT_THROW(loop(), std::runtime_error);
    }
  });
}

TEST(Borders, SharedObjectsEndWithTheTaskThatHasThem) {
  everywhere([] {
    const auto before = counted::alive.load();
    scope([](task_group& all) {
      for (int i = 0; i < 20; ++i) {
        all.spawn([its = shared<counted>()]() mutable {
          fork_task([](rw<counted>) {}, its);
          join([] {}, [] {});
        });
      }
    });
    EXPECT_EQ(counted::alive, before);
  });
}

/// The thread's seat is that of its first frame.
TEST(Borders, AWaitInTheFirstHalfOfAJoin) {
  const auto wait = [] { sync_tasks(); };
  const auto be_sequential = [] { const steelyard::sequential here; };
  const auto loop = [] {
    steelyard::parallel_for(
        0, 4, [](int) { fork_task([] {}); }, parallel());
  };
  const auto record = [] { recording([] { fork_task([] {}); }).run(); };
  const auto in_the_first_half = [](auto f) {
    everywhere([&f] {
      for (int round = 0; round < 20; ++round) {
        std::atomic<int> ran{0};
        fork_task([] {});
        join([] {}, [] {});
        const auto first = [&] {
          loop_tests::compute(a_while);
          f();
        };
        const auto second = [&ran] {
          loop_tests::compute(a_while);
          ++ran;
        };
        join(first, second);
        steelyard::join_each(3, [&](std::size_t i) { i == 0 ? first() : second(); });
        sync_tasks();
        ASSERT_EQ(ran, 3);
      }
    });
  };
  in_the_first_half(wait);
  in_the_first_half(be_sequential);
  in_the_first_half(loop);
  in_the_first_half(record);
}

/// The thread's seat is that of the join, and the frame is the loop's.
TEST(Borders, ALoopThatForksInTheFirstHalfOfAJoin) {
  everywhere([] {
    for (int round = 0; round < 20; ++round) {
      std::atomic<int> ran{0};
      const auto forks = [&ran](int) { fork_task([&ran] { ++ran; }); };
      join([&forks] { steelyard::parallel_for(0, 4, forks, parallel()); }, [] {});
      const auto add_up = [&ran](std::array<long, 40> given) {
        for (const long each : given) ran += static_cast<int>(each);
      };
      std::array<long, 40> ones{};
      ones.fill(1);
      fork_task([add_up](std::array<long, 40> given) { fork_task(add_up, given); }, ones);
      fork_task(add_up, ones);
      sync_tasks();
      ASSERT_EQ(ran, 84);
    }
  });
}

TEST(Borders, AnotherPoolComesAfterWhatWasForkedBefore) {
  everywhere([] {
    pool other(2);
    for (int round = 0; round < 10; ++round) {
      number seen = 0;
      auto it = std::make_unique<shared<number>>(0U);
      fork_task(set_late, *it);
      other.run([&] {
        fork_task([&seen](r<number> value) { seen = *value; }, *it);
        it.reset();
      });
      ASSERT_EQ(seen, 1U);
    }
    sync_tasks();
  });
}

/// On threads of the outer loop that have had no tasks yet.
TEST(Borders, ALoopOfAnotherPoolInALoopForks) {
  for (int round = 0; round < 20; ++round) {
    pool outer(3), other(3);
    std::atomic<int> ran{0};
    auto on_other = parallel();
    on_other.on = &other;
    outer.run([&] {
      const auto inner = [&](int) {
        steelyard::parallel_for(
            0, 2, [&ran](int) { fork_task([&ran] { ++ran; }); }, on_other);
      };
      steelyard::parallel_for(0, 6, inner, parallel());
      for (int i = 0; i < 20; ++i) {
        join(
            [&ran] {
              loop_tests::compute(std::chrono::microseconds(20));
              ++ran;
            },
            [&ran] { ++ran; });
      }
    });
    ASSERT_EQ(ran, 52);
  }
}

TEST(Borders, ALoopThatIsStoppedLosesNoException) {
  everywhere([] {
    const auto run = [] {
      std::stop_source source;
      auto how = parallel();
      how.stop = source.get_token();
      how.schedule = "static";
      steelyard::parallel_for(
          0, 100000,
          [&source](int) {
            fork_task([] { throw std::runtime_error("from a task"); });
            source.request_stop();
          },
          how);
      sync_tasks();
    };
    for (int round = 0; round < 20; ++round) EXPECT_THROW(run(), std::runtime_error);
  });
}

/// A loop that seemed short: what is left of it when it takes long is one iteration.
TEST(Borders, ALoopOfWhichOneIterationIsLeftLosesNoException) {
  everywhere([] {
    const auto run = [](bool long_one) {
      steelyard::parallel_for(0, 2, [long_one](int i) {
        if (!long_one) return;
        if (i == 0) loop_tests::compute(std::chrono::milliseconds(5));
        if (i == 1) fork_task([] { throw std::runtime_error("from a task"); });
      });
      sync_tasks();
    };
    for (int round = 0; round < 10; ++round) {
      for (int i = 0; i < 50; ++i) run(false);
      EXPECT_THROW(run(true), std::runtime_error);
    }
  });
}

/// An argument whose copy is made by tasks.
struct copied_by_tasks {
  copied_by_tasks() = default;
  copied_by_tasks(const copied_by_tasks& other) {
    fork_task([this, &other] { value = other.value + 1; });
    sync_tasks();
  }
  number value = 0;
};

TEST(Borders, ACopyOfAnArgumentMayUseTasks) {
  everywhere([] {
    std::atomic<number> seen{0};
    const copied_by_tasks given;
    fork_task([] {});
    fork_task([&seen](const copied_by_tasks& it) { seen = it.value; }, given);
    sync_tasks();
    EXPECT_GE(seen, 1U);
  });
}

TEST(Borders, AFunctionOfAPoolThatThrowsHasItsTasksRun) {
  pool all(2);
  std::atomic<int> ran{0};
  const auto fork_and_throw = [](void* to) {
    fork_task([to] { ++*static_cast<std::atomic<int>*>(to); });
    throw std::runtime_error("from the function");
  };
  std::thread([&] {
    EXPECT_THROW(steelyard_pool_run(all.handle(), fork_and_throw, &ran), std::runtime_error);
    EXPECT_EQ(ran, 1);
    all.run([&ran] { fork_task([&ran] { ++ran; }); });
    EXPECT_EQ(ran, 2);
  }).join();
}

/// The seat is given back, and taken, while tasks are noted.
TEST(Borders, AGroupGoesAndComesInARecording) {
  std::thread([] {
    for (int round = 0; round < 5; ++round) {
      auto group = std::make_unique<task_group>();
      recording without([&group] {
        group.reset();
        fork_task([] {});
      });
      join([] {}, [] {});
      recording with([&group] {
        group = std::make_unique<task_group>();
        fork_task([] {});
      });
      rendezvous both(2);
      join([&both] { EXPECT_TRUE(both.come()); }, [&both] { EXPECT_TRUE(both.come()); });
      without.run();
      with.run();
      group.reset();
    }
  }).join();
}

TEST(Borders, ARecordingRefusesWhatCallsTasks) {
  everywhere([] { EXPECT_THROW(recording([] { const steelyard::sequential here; }), std::invalid_argument); });
}

TEST(Borders, ARecordingNotesWhatAnotherPoolForks) {
  everywhere([] {
    pool other(2);
    int ran = 0;
    scope([&](task_group&) {
      recording noted([&] { other.run([&ran] { fork_task([&ran] { ++ran; }); }); });
      EXPECT_EQ(ran, 0);
      noted.run();
      EXPECT_EQ(ran, 1);
    });
  });
}

/// Costs are asked for when the loop has waited; what they fork is no body's to wait for.
TEST(Borders, WhatCostsForkComesBeforeTheLoop) {
  everywhere([] {
    for (int round = 0; round < 10; ++round) {
      shared<number> it(0U);
      std::atomic<int> late{0};
      auto how = parallel();
      bool asked = false;  // not by a loop that runs alone
      const auto cost = [&](std::uint64_t i) {
        asked = true;
        if (i == 0) {
          fork_task(set_late, it);
        }
        return 1.0;
      };
      how.cost = cost;
      fork_task([] {});
      steelyard::parallel_for(
          0, 100, [&](int) { fork_task([&late](r<number> value) { late += *value == 0 ? 1 : 0; }, it); }, how);
      sync_tasks();
      ASSERT_EQ(late, asked ? 0 : 100);
    }
  });
}

}  // namespace
