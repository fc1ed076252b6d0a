// SPDX-License-Identifier: Apache-2.0
// What a place in the program learns, tests/unit/learn/site_test.cpp: here, that real loops tell it and ask it. Each waits until
// that has come true, for how long loops take is the machine's.
#include <gtest/gtest.h>

#include <steelyard/steelyard.h>
#include <atomic>
#include <chrono>
#include <steelyard/loop.hpp>
#include <utility>

#include "loops.hpp"

namespace {

using namespace std::chrono_literals;
using steelyard::pool;

struct site {
  std::atomic<bool> heavy{false};
  std::atomic<std::uint64_t> by_helpers{0};  ///< iterations run by others than the caller
};

std::uint64_t runs_by_helpers(site& place, const pool& on, std::uint64_t n) {
  place.by_helpers = 0;
  steelyard_loop loop{};
  loop.size = sizeof loop;
  loop.iterations = n;
  loop.body = &place;
  loop.run = [](void* body, steelyard_member* self, std::uint64_t, std::uint64_t count, std::uint64_t) {
    auto& at = *static_cast<site*>(body);
    if (steelyard_member_number(self) != 0) at.by_helpers += count;
    if (!at.heavy) return;
    for (std::uint64_t i = 0; i < count; ++i) loop_tests::compute(20us);
  };
  loop.schedule = "steal";
  loop.pool = on.handle();
  steelyard_loop_run(&loop);
  return place.by_helpers;
}

TEST(History, TinyLoopsStayOnTheCaller) {
  pool two(2);
  site place;
  // Known after a few runs; then now and then one is shared, to see what that costs now.
  // Averages that another process has spoilt need some runs to recover.
  EXPECT_TRUE(loop_tests::becomes([&] {
    int shared = 0;
    for (int run = 0; run < 1000; ++run) shared += runs_by_helpers(place, two, 4) != 0 ? 1 : 0;
    return shared <= 100;
  }));
}

TEST(History, ASiteThatBecomesHeavyIsSharedAgain) {
  pool two(2);
  site place;
  for (int run = 0; run < 200; ++run) runs_by_helpers(place, two, 64);
  place.heavy = true;
  EXPECT_TRUE(loop_tests::becomes([&] { return runs_by_helpers(place, two, 1000) != 0; }));
}

TEST(History, TheFirstRunIsSharedWhenItIsLong) {
  pool two(2);
  site place;
  place.heavy = true;
  EXPECT_TRUE(loop_tests::becomes([&] { return runs_by_helpers(place, two, 1000) != 0; }));
}

/// Runs that were cut short say nothing of the others.
TEST(History, StoppedRunsAreNoMeasure) {
  pool two(2);
  std::stop_source ended;
  ended.request_stop();
  std::atomic<int> helped{0};
  const auto caller = std::this_thread::get_id();
  const auto run = [&](std::stop_token stop) {
    steelyard::parallel_for(0, 100,
                            [&](int) {
                              loop_tests::compute(100us);
                              if (std::this_thread::get_id() != caller) ++helped;
                            },
                            {.on = &two, .stop = std::move(stop)});
  };
  for (int i = 0; i < 3; ++i) run({});  // the first has waited for a thread to start
  // 10 ms on two threads; the first half alone would be the mark of a loop believed tiny, each time.
  EXPECT_TRUE(loop_tests::becomes([&] {
    for (int i = 0; i < 100; ++i) run(ended.get_token());
    helped = 0;
    run({});
    return helped > 25;
  }));
}

}  // namespace
