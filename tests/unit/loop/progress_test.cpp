// SPDX-License-Identifier: Apache-2.0
// Programs that want to know how far a loop is. Time is made up.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <steelyard/loop.hpp>
#include <thread>

#include "../made_up_clock.hpp"
#include "loops.hpp"

namespace {

using namespace std::chrono_literals;
using loop_tests::all_schedules;
using steelyard::parallel_for;
using steelyard::pool;

TEST(Progress, OnTheCallersThreadAndNeverBack) {
  pool three(3);
  const auto caller = std::this_thread::get_id();
  for (const char* schedule : all_schedules()) {
    std::uint64_t calls = 0;
    std::uint64_t last = 0;
    int wrong = 0;
    parallel_for(0, 3000, [](int) { made_up_clock::work(100us); },
                 {.schedule = schedule,
                  .chunk = 10,
                  .on = &three,
                  .always_parallel = true,
                  .progress = [&](std::uint64_t taken, std::uint64_t all) {
                    ++calls;
                    wrong += std::this_thread::get_id() == caller ? 0 : 1;
                    wrong += all == 3000 && taken <= all ? 0 : 1;
                    wrong += taken >= last ? 0 : 1;
                    last = taken;
                  }});
    EXPECT_EQ(wrong, 0) << schedule;
    RecordProperty(schedule, static_cast<int>(calls));
  }
}

/// The workers are in another loop, so that the caller knows how many iterations have run.
TEST(Progress, IsWhatHasRun) {
  pool three(3);
  std::atomic<int> inside{0};
  std::atomic<bool> over{false};
  std::thread other([&] {
    parallel_for(0, 3,
                 [&](int) {
                   ++inside;
                   loop_tests::becomes([&] { return over.load(); });
                 },
                 {.schedule = "static", .on = &three, .always_parallel = true});
  });
  ASSERT_TRUE(loop_tests::becomes([&] { return inside == 3; }));
  for (const char* schedule : all_schedules()) {
    std::uint64_t ran = 0;
    int calls = 0;
    parallel_for(0, 3000,
                 [&](int) {
                   ++ran;
                   made_up_clock::work(100us);
                 },
                 {.schedule = schedule,
                  .chunk = 10,
                  .on = &three,
                  .always_parallel = true,
                  .progress = [&](std::uint64_t taken, std::uint64_t) {
                    ++calls;
                    EXPECT_EQ(taken, ran) << schedule;
                  }});
    EXPECT_EQ(ran, 3000U) << schedule;
    EXPECT_GE(calls, 3) << schedule << ": at once, when it looks at the clock, and at the end";
  }
  over = true;
  other.join();
}

/// Also of a loop that the caller runs by itself.
TEST(Progress, OfOneMember) {
  pool one(1);
  std::uint64_t calls = 0;
  std::uint64_t last = 0;
  parallel_for(0, 2000, [](int) { made_up_clock::work(200us); },
               {.on = &one, .progress = [&](std::uint64_t taken, std::uint64_t all) {
                  ++calls;
                  EXPECT_TRUE(taken >= last && taken <= all);
                  last = taken;
                }});
  EXPECT_EQ(calls, 21U) << "at once, each 20 ms of 400, and at the end";
  EXPECT_EQ(last, 2000U);
  std::atomic<int> ran{0};
  EXPECT_THROW(parallel_for(0, 2000,
                            [&](int) {
                              ++ran;
                              made_up_clock::work(200us);
                            },
                            {.on = &one, .progress = [&](std::uint64_t, std::uint64_t) { throw 1; }}),
               int);
  EXPECT_LT(ran, 2000);
}

}  // namespace
