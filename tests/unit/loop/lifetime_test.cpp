// SPDX-License-Identifier: Apache-2.0
// Loops and the life of a process: fork, exit, plugins, idleness.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <iterator>
#include <steelyard/loop.hpp>
#include <thread>
#include <vector>

#include "../workers_asleep.hpp"
#include "child.hpp"
#include "loops.hpp"

namespace {

using namespace std::chrono_literals;
using loop_tests::becomes;
using loop_tests::counts;
using loop_tests::ending;
using loop_tests::in_child;
using steelyard::parallel_for;

const loop_tests::variables three_threads = {{"STEELYARD_NUM_THREADS", "3"}};

/// Whether `members` threads meet in one loop.
bool all_meet(int members, const char* schedule = nullptr) {
  std::atomic<int> begun{0};
  std::atomic<bool> met{true};
  parallel_for(0, members,
               [&](int) {
                 ++begun;
                 if (!becomes([&] { return begun >= members; })) met = false;
               },
               {.schedule = schedule, .always_parallel = true});
  return met;
}

bool loops_are_right() {
  for (const char* schedule : loop_tests::all_schedules()) {
    counts seen(500);
    parallel_for(0U, 500U, [&](unsigned i) { seen.ran(i); }, {.schedule = schedule, .always_parallel = true});
    if (seen.wrong() != 0) return false;
  }
  return true;
}

TEST(Fork, TheChildHasItsWorkersAgain) {
  if (loop_tests::under_thread_sanitizer) GTEST_SKIP() << "it starts no threads in such a child";
  for (const char* schedule : {"steal", "idws", "dynamic", "static"}) {
    const auto how = in_child(three_threads, [schedule] {
      REQUIRE(all_meet(3, schedule));
      REQUIRE(loops_are_right());
      const auto grandchild = in_child({}, [schedule] {
        REQUIRE(steelyard::threads() == 3);
        REQUIRE(all_meet(3, schedule));
        REQUIRE(loops_are_right());
        const auto next = in_child({}, [schedule] { return all_meet(3, schedule) && loops_are_right() ? 0 : 1; });
        std::fputs(next.errors.c_str(), stderr);
        REQUIRE(next.fine());
        REQUIRE(all_meet(3, schedule));
        return 0;
      });
      std::fputs(grandchild.errors.c_str(), stderr);
      REQUIRE(grandchild.fine());
      REQUIRE(all_meet(3, schedule));
      REQUIRE(loops_are_right());
      return 0;
    });
    EXPECT_TRUE(how.fine()) << schedule << how;
  }
}

TEST(Fork, PoolsOfTheProgramToo) {
  if (loop_tests::under_thread_sanitizer) GTEST_SKIP() << "it starts no threads in such a child";
  const auto how = in_child({}, [] {
    steelyard::pool mine(4);
    mine.run([] { REQUIRE(all_meet(4)); });
    const auto child = in_child({}, [&] {
      mine.run([] {
        REQUIRE(all_meet(4));
        REQUIRE(loops_are_right());
      });
      steelyard::pool another(2);
      another.run([] { REQUIRE(all_meet(2)); });
      return 0;
    });
    std::fputs(child.errors.c_str(), stderr);
    REQUIRE(child.fine());
    // One that goes without having run a loop.
    const auto idle = in_child({}, [&] {
      delete new steelyard::pool(3);
      return 0;
    });
    REQUIRE(idle.fine());
    mine.run([] { REQUIRE(all_meet(4)); });
    return 0;
  });
  EXPECT_TRUE(how.fine()) << how;
}

/// The child of a fork destroys a pool of its parent that it has not used.
TEST(Fork, ThePoolEndsUnusedInTheChild) {
  if (loop_tests::under_thread_sanitizer) GTEST_SKIP() << "it starts no threads in such a child";
  const auto how = in_child({}, [] {
    auto* const mine = new steelyard::pool(4);
    mine->run([] { REQUIRE(all_meet(4)); });
    const auto child = in_child({}, [&] {
      delete mine;
      return loops_are_right() ? 0 : 1;
    });
    REQUIRE(child.fine());
    delete mine;
    return 0;
  });
  EXPECT_TRUE(how.fine()) << how;
}

void loops_at_exit() {
  if (!loops_are_right() || !all_meet(3)) _exit(5);
}

struct loops_when_destroyed {
  ~loops_when_destroyed() { loops_at_exit(); }
};

TEST(Exit, LoopsInHandlersAndDestructors) {
  for (const bool before : {false, true}) {
    const auto how = in_child(three_threads, [before] {
      if (before) REQUIRE(all_meet(3));
      static loops_when_destroyed last;
      std::atexit(loops_at_exit);
      if (!before) REQUIRE(all_meet(3));
      return 0;
    });
    EXPECT_TRUE(how.fine()) << how;
  }
  const auto first_at_exit = in_child(three_threads, [] {
    std::atexit(loops_at_exit);
    return 0;
  });
  EXPECT_TRUE(first_at_exit.fine()) << first_at_exit;
}

TEST(Exit, WorkersSleepOrSpin) {
  for (int round = 0; round < 20; ++round) {
    const auto how = in_child(three_threads, [round] {
      REQUIRE(all_meet(3));
      if (round % 2 == 0) std::this_thread::sleep_for(5ms);
      return 0;
    });
    ASSERT_TRUE(how.fine()) << how;
  }
}

/// A thread of the program exits while others are inside loops.
TEST(Exit, WhileLoopsRun) {
  for (int round = 0; round < 10; ++round) {
    const auto how = in_child(three_threads, [] {
      std::thread([] {
        for (;;) loops_are_right();
      }).detach();
      REQUIRE(all_meet(3));
      std::fflush(nullptr);
      _exit(0);
      return 1;
    });
    ASSERT_TRUE(how.fine()) << how;
  }
}

TEST(Plugin, ComesAndGoes) {
  const auto how = in_child(three_threads, [] {
    for (int round = 0; round < 20; ++round) {
      void* const plugin = dlopen(PLUGIN, RTLD_NOW | RTLD_LOCAL);
      REQUIRE(plugin != nullptr);
      auto* const sum = reinterpret_cast<long (*)(long, const char*)>(dlsym(plugin, "plugin_sum"));
      REQUIRE(sum != nullptr);
      for (const char* schedule : loop_tests::all_schedules()) REQUIRE(sum(1000, schedule) == 499500);
      REQUIRE(dlclose(plugin) == 0);
      if (round % 4 == 0) std::this_thread::sleep_for(2ms);
      REQUIRE(all_meet(3));
    }
    return 0;
  });
  EXPECT_TRUE(how.fine()) << how;
}

/// The process's own pool begins with the first loop that asks for it.
TEST(Start, APoolOfItsOwnIsTheOnlyOne) {
  if (loop_tests::under_thread_sanitizer) GTEST_SKIP() << "it has a thread of its own";
  const auto how = in_child(three_threads, [] {
    steelyard::pool own(2);
    own.run([&own] { steelyard::parallel_for(0, 100, [](int) {}, {.on = &own, .always_parallel = true}); });
    const std::filesystem::directory_iterator threads("/proc/self/task");
    REQUIRE(std::distance(begin(threads), end(threads)) == 2);
    return 0;
  });
  EXPECT_TRUE(how.fine()) << how;
}

TEST(Idle, WorkersDoNotWake) {
  const auto how = in_child(three_threads, [] {
    for (const char* schedule : {"steal", "idws"}) {
      REQUIRE(all_meet(3, schedule));
      const auto before = workers_asleep::wait_for(2);
      REQUIRE(before.switches > 0);
      std::this_thread::sleep_for(1s);
      REQUIRE(workers_asleep::look() == before);
    }
    return 0;
  });
  EXPECT_TRUE(how.fine()) << how;
}

}  // namespace
