// SPDX-License-Identifier: Apache-2.0
// What a place in the program learns: loops too small to share stay on the caller, and are shared again when they grow.
#include <gtest/gtest.h>

#include <steelyard/steelyard.h>
#include <atomic>
#include <chrono>
#include <steelyard/loop.hpp>
#include <utility>
#include <vector>

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

/// Where sharing itself takes longer than the iterations, their time together says nothing of what they take alone.
TEST(History, IterationsThatSharingMakesDearStayOnTheCaller) {
  pool two(2);
  std::vector<double> values(1000);
  std::uint64_t by_helpers = 0;
  steelyard_loop loop{};
  loop.size = sizeof loop;
  loop.iterations = values.size();
  std::pair of{&values, &by_helpers};
  loop.body = &of;
  loop.run = [](void* body, steelyard_member* self, std::uint64_t first, std::uint64_t count, std::uint64_t) {
    auto& [at, helped] = *static_cast<std::pair<std::vector<double>*, std::uint64_t*>*>(body);
    for (std::uint64_t i = first; i < first + count; ++i) (*at)[i] += 1;
    if (steelyard_member_number(self) != 0) __atomic_store_n(helped, 1, __ATOMIC_RELAXED);
  };
  loop.schedule = "steal";
  loop.pool = two.handle();
  EXPECT_TRUE(loop_tests::becomes([&] {
    int shared = 0;
    for (int run = 0; run < 1000; ++run) {
      by_helpers = 0;
      steelyard_loop_run(&loop);
      shared += by_helpers != 0 ? 1 : 0;
    }
    return shared <= 50;
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

/// A thread that loses its core for a while makes a tiny loop look long, once.
TEST(History, OneLongRunIsNotBelieved) {
  pool two(2);
  site place;
  EXPECT_TRUE(loop_tests::becomes([&] {
    for (int run = 0; run < 2000; ++run) runs_by_helpers(place, two, 1000);
    place.heavy = true;
    runs_by_helpers(place, two, 1000);
    place.heavy = false;
    int shared = 0;
    for (int run = 0; run < 100; ++run) shared += runs_by_helpers(place, two, 1000) != 0 ? 1 : 0;
    return shared <= 10;
  }));
}

/// A site that two kinds of loops go through: half of the long ones on the caller would be too much.
TEST(History, LightAndHeavyRunsInTurn) {
  pool two(2);
  site place;
  EXPECT_TRUE(loop_tests::becomes([&] {
    int well_shared = 0;
    for (int run = 0; run < 10; ++run) {
      place.heavy = false;
      runs_by_helpers(place, two, 1000);
      place.heavy = true;
      well_shared += runs_by_helpers(place, two, 1000) > 300 ? 1 : 0;
    }
    return well_shared >= 8;
  }));
}

/// What the first half takes says nothing of the whole.
TEST(History, WorkInTheSecondHalf) {
  pool two(2);
  std::atomic<int> by_helpers{0};
  const auto caller = std::this_thread::get_id();
  EXPECT_TRUE(loop_tests::becomes([&] {
    int shared = 0;
    for (int run = 0; run < 20; ++run) {
      by_helpers = 0;
      steelyard::parallel_for(0, 200,
                              [&](int i) {
                                if (i >= 100) loop_tests::compute(20us);
                                if (std::this_thread::get_id() != caller) ++by_helpers;
                              },
                              {.on = &two});
      shared += by_helpers > 20 ? 1 : 0;
    }
    return shared >= 15;
  }));
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
