// SPDX-License-Identifier: Apache-2.0
// Stopping loops, and their progress.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <random>
#include <steelyard/loop.hpp>
#include <stop_token>
#include <thread>

#include "loops.hpp"

namespace {

using namespace std::chrono_literals;
using loop_tests::all_schedules;
using loop_tests::compute;
using loop_tests::counts;
using steelyard::parallel_for;
using steelyard::pool;

TEST(Stop, BeforeTheLoopNothingRuns) {
  pool four(4);
  std::stop_source end;
  end.request_stop();
  for (const char* schedule : all_schedules()) {
    for (const bool always : {false, true}) {
      bool ran = false;
      EXPECT_FALSE(
          parallel_for(0, 100, [&](int) { ran = true; },
                       {.schedule = schedule, .on = &four, .always_parallel = always, .stop = end.get_token()}));
      EXPECT_FALSE(ran) << schedule;
    }
  }
}

TEST(Stop, WithoutARequestTheLoopIsWhole) {
  std::stop_source end;
  for (const char* schedule : all_schedules()) {
    counts seen(300);
    EXPECT_TRUE(parallel_for(0U, 300U, [&](unsigned i) { seen.ran(i); },
                             {.schedule = schedule, .always_parallel = true, .stop = end.get_token()}));
    EXPECT_EQ(seen.wrong(), 0U);
  }
}

TEST(Stop, FromAnyIteration) {
  pool four(4);
  constexpr unsigned n = 300;
  std::mt19937 random(2);
  for (const char* schedule : all_schedules()) {
    for (unsigned run = 0; run < 1000; ++run) {
      std::stop_source end;
      const auto at = static_cast<unsigned>(random() % n);
      counts seen(n);
      const bool whole =
          parallel_for(0U, n,
                       [&](unsigned i) {
                         seen.ran(i);
                         if (i == at) end.request_stop();
                       },
                       {.schedule = schedule, .on = &four, .always_parallel = run % 4 != 0, .stop = end.get_token()});
      ASSERT_TRUE(seen.at_most_once()) << schedule;
      if (whole) {
        ASSERT_EQ(seen.wrong(), 0U) << schedule << ": true, but some did not run";
      }
    }
  }
}

TEST(Stop, FromAnotherThread) {
  pool three(3);
  for (const char* schedule : all_schedules()) {
    for (int run = 0; run < 5; ++run) {
      std::stop_source end;
      std::atomic<bool> begun{false};
      std::thread other([&] {
        loop_tests::becomes([&] { return begun.load(); });
        std::this_thread::sleep_for(run * 200us);
        end.request_stop();
      });
      EXPECT_FALSE(parallel_for(std::uint64_t{0}, std::uint64_t{1} << 61, [&](std::uint64_t) { begun = true; },
                                {.schedule = schedule, .on = &three, .always_parallel = true, .stop = end.get_token()}))
          << schedule;
      other.join();
    }
  }
}

/// What stops the outer loop stops those in it, if they are told.
TEST(Stop, NestedLoops) {
  pool three(3);
  for (const char* schedule : all_schedules()) {
    std::stop_source end;
    std::atomic<int> ran{0};
    const steelyard::loop_options options{
        .schedule = schedule, .on = &three, .always_parallel = true, .stop = end.get_token()};
    EXPECT_FALSE(parallel_for(
        0, 1 << 30,
        [&](int) {
          parallel_for(
              0, 1 << 30,
              [&](int) {
                if (++ran == 100) end.request_stop();
              },
              options);
        },
        options));
  }
}

TEST(Stop, MembersSeeIt) {
  pool two(2);
  for (const char* schedule : all_schedules()) {
    std::atomic<int> late{0};
    steelyard_loop loop{};
    loop.size = sizeof loop;
    loop.iterations = 1000;
    loop.body = &late;
    loop.run = [](void* body, steelyard_member* self, std::uint64_t, std::uint64_t, std::uint64_t) {
      if (steelyard_member_stopped(self) != 0) ++*static_cast<std::atomic<int>*>(body);
      steelyard_member_stop(self);
      if (steelyard_member_stopped(self) == 0) *static_cast<std::atomic<int>*>(body) += 1000;
    };
    loop.schedule = schedule;
    loop.pool = two.handle();
    loop.flags = STEELYARD_ALWAYS_PARALLEL;
    EXPECT_EQ(steelyard_loop_run(&loop), STEELYARD_STOPPED) << schedule;
    EXPECT_LE(late, 2) << schedule << ": after the stop a member began more than the one it was about to begin";
  }
}

/// The C interface's flag.
TEST(Stop, ByAWord) {
  pool two(2);
  for (const char* schedule : all_schedules()) {
    static volatile int stop;
    stop = 0;
    steelyard_loop loop{};
    loop.size = sizeof loop;
    loop.iterations = std::uint64_t{1} << 62;
    loop.run = [](void*, steelyard_member*, std::uint64_t, std::uint64_t, std::uint64_t) {
      __atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
    };
    loop.schedule = schedule;
    loop.chunk = 1;
    loop.pool = two.handle();
    loop.flags = STEELYARD_ALWAYS_PARALLEL;
    loop.stop = &stop;
    EXPECT_EQ(steelyard_loop_run(&loop), STEELYARD_STOPPED) << schedule;
  }
}

/// Also seen by members that run an open range, which has no end worth waiting for.
TEST(Stop, ByAWordInAnOpenRange) {
  pool two(2);
  for (const char* schedule : {"idws", "idws,1", "adaptive"}) {
    static volatile int stop;
    stop = 0;
    steelyard_loop loop{};
    loop.size = sizeof loop;
    loop.iterations = std::uint64_t{1} << 61;
    loop.run = [](void*, steelyard_member*, std::uint64_t, std::uint64_t, std::uint64_t) {};
    loop.run_open = [](void* of, steelyard_member* self) {
      const auto mine = steelyard_member_range(self);
      for (auto at = mine.at; at < mine.until; at += mine.step) {
        __atomic_store_n(mine.head, at + mine.step, __ATOMIC_RELAXED);
        if (mine.fence != 0) __atomic_thread_fence(__ATOMIC_SEQ_CST);
        if (at + mine.step > __atomic_load_n(mine.end, __ATOMIC_RELAXED)) {
          steelyard_member_claim(self, at, mine.step);
          return;
        }
        if (++*static_cast<std::atomic<long>*>(of) == 5000) __atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
      }
    };
    std::atomic<long> claims{0};
    loop.body = &claims;
    loop.schedule = schedule;
    loop.pool = two.handle();
    loop.flags = STEELYARD_ALWAYS_PARALLEL;
    loop.stop = &stop;
    EXPECT_EQ(steelyard_loop_run(&loop), STEELYARD_STOPPED) << schedule;
    EXPECT_LT(claims, 10'000) << schedule;
  }
}

/// The word of the C interface, of one member and of two.
TEST(Stop, ByAWordOfOneMember) {
  for (std::uint32_t members = 1; members <= 2; ++members) {
    static std::atomic<int> ran;
    static int stop;
    ran = 0;
    stop = 0;
    steelyard_loop loop{};
    loop.size = sizeof loop;
    loop.iterations = 100'000;
    loop.members = members;
    loop.stop = &stop;
    loop.flags = STEELYARD_ALWAYS_PARALLEL;
    loop.run = [](void*, steelyard_member*, std::uint64_t, std::uint64_t count, std::uint64_t) {
      ran += static_cast<int>(count);
      if (ran >= 1000) __atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
    };
    EXPECT_EQ(steelyard_loop_run(&loop), STEELYARD_STOPPED);
    EXPECT_LT(ran, 100'000);
  }
}

/// Also where it is known that iterations take next to nothing, so that a loop that is to stop soon does.
TEST(Stop, NoMoreThanAnEighthOfAShareIsCalledAtOnce) {
  pool two(2);
  constexpr std::uint64_t iterations = 32'000;
  for (const char* schedule : {"static", "nustatic", "guided", "steal:even"}) {
    for (int run = 0; run < 5; ++run) {
      std::atomic<std::uint64_t> most{0};
      steelyard_loop loop{};
      loop.size = sizeof loop;
      loop.iterations = iterations;
      loop.body = &most;
      loop.run = [](void* body, steelyard_member*, std::uint64_t, std::uint64_t count, std::uint64_t) {
        auto& so_far = *static_cast<std::atomic<std::uint64_t>*>(body);
        for (auto seen = so_far.load(); seen < count && !so_far.compare_exchange_weak(seen, count);) continue;
      };
      loop.schedule = schedule;
      loop.pool = two.handle();
      loop.flags = STEELYARD_ALWAYS_PARALLEL;
      EXPECT_EQ(steelyard_loop_run(&loop), STEELYARD_DONE) << schedule;
      EXPECT_GE(most, iterations / 2 / 16 / 2) << schedule;
      EXPECT_LE(most, iterations / 2 / 8) << schedule;
    }
  }
}

}  // namespace
