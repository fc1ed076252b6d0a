// SPDX-License-Identifier: Apache-2.0
// Loops that know what their iterations cost.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <list>
#include <random>
#include <span>
#include <steelyard/loop.hpp>
#include <thread>
#include <type_traits>
#include <vector>

#include "loops.hpp"

namespace {

using loop_tests::counts;
using steelyard::parallel_for;
using steelyard::pool;

/// Every iteration of a loop with these costs once.
template <class Costs>
void expect_whole(std::size_t n, Costs&& costs, const pool& on) {
  for (const char* schedule : {"wsrw", "wsrw,3", "binlpt", "binlpt,3", "steal"}) {
    counts seen(n);
    parallel_for(std::size_t{0}, n, [&](std::size_t i) { seen.ran(i); },
                 {.schedule = schedule, .cost = costs, .on = &on, .always_parallel = true});
    ASSERT_EQ(seen.wrong(), 0U) << n << " " << schedule;
  }
}

double of_a_function(std::uint64_t i) { return static_cast<double>(i); }

TEST(Costs, CanBeAFunction) {
  const pool three(3);
  expect_whole(100, of_a_function, three);
  expect_whole(
      100, [](std::uint64_t i) { return i; }, three);
}

TEST(Costs, CanBeAnArray) {
  const pool three(3);
  const std::vector<int> degrees(100, 7);
  std::vector<double> seconds(100, 0.5);
  const float plain[100] = {1, 2, 3};
  expect_whole(100, degrees, three);
  expect_whole(100, seconds, three);
  expect_whole(100, std::span<const int>(degrees), three);
  expect_whole(100, std::array<std::uint8_t, 100>{3, 2, 1}, three);
  expect_whole(100, plain, three);
}

TEST(Costs, AnArrayThatEndsBeforeTheLoopIsFollowedByNothing) {
  const pool three(3);
  expect_whole(5000, std::vector<int>{1, 2, 3}, three);
  expect_whole(5000, std::vector<int>{}, three);
  static_assert(!std::is_constructible_v<steelyard::cost_ref, std::list<int>>);
  static_assert(!std::is_constructible_v<steelyard::cost_ref, std::vector<std::vector<int>>>);
}

TEST(Costs, AnArrayIsReadWhereTheFunctionWouldBe) {
  const std::vector<int> values{4, 5, 6};
  const steelyard::cost_ref costs(values);
  double out[4] = {-1, -1, -1, -1};
  costs.function()(costs.context(), 1, 4, out);
  EXPECT_EQ(std::vector<double>(out, out + 4), (std::vector<double>{5, 6, 0, 0}));
  costs.function()(costs.context(), ~std::uint64_t{0} - 3, 4, out);
  EXPECT_EQ(std::vector<double>(out, out + 4), (std::vector<double>(4, 0.0)));
}

TEST(Costs, KeptAreReadOnceUntilTheyChange) {
  const pool two(2);
  std::atomic<int> asked{0};
  steelyard::costs kept([&](std::uint64_t i) {
    ++asked;
    return i;
  });
  // A body of its own each time: its first loop reads them, whatever it takes.
  const auto run = [&](const char* schedule, auto body) {
    counts seen(100);
    const auto one = [&](int i) {
      seen.ran(static_cast<std::size_t>(i));
      body(i);
    };
    parallel_for(0, 100, one, {.schedule = schedule, .cost = kept, .on = &two, .always_parallel = true});
    EXPECT_EQ(seen.wrong(), 0U) << schedule;
    return asked.load();
  };
  EXPECT_EQ(run("wsrw", [](int) {}), 100);
  EXPECT_EQ(run("wsrw", [](int) {}), 100);
  EXPECT_EQ(run("binlpt", [](int) {}), 100) << "the same sums";
  EXPECT_EQ(run("wsrw,3", [](int) {}), 200) << "another deal";
  EXPECT_EQ(run("wsrw,3", [](int) {}), 200);
  kept.changed();
  EXPECT_EQ(run("wsrw,3", [](int) {}), 300);
}

void compute(std::chrono::nanoseconds for_so_long) {
  const auto end = std::chrono::steady_clock::now() + for_so_long;
  while (std::chrono::steady_clock::now() < end) {
  }
}

TEST(Costs, ThatTakeLongerToReadThanTheLoopIsWorthAreReadTwice) {
  const pool two(2);
  int asked = 0;
  steelyard::costs kept([&](std::uint64_t i) {
    ++asked;
    compute(std::chrono::microseconds(20));  // seconds have to pass until it is worth it once more
    return i;
  });
  EXPECT_EQ(kept.overhead(), 0);
  for (int round = 0; round < 5; ++round) {
    counts seen(500);
    parallel_for(std::size_t{0}, std::size_t{500}, [&](std::size_t i) { seen.ran(i); },
                 {.schedule = "wsrw", .cost = kept, .on = &two, .always_parallel = true});
    EXPECT_EQ(seen.wrong(), 0U);
    kept.changed();
  }
  EXPECT_EQ(asked, 1000);
  EXPECT_GT(kept.overhead(), 0);
  EXPECT_LT(kept.overhead(), 1);
}

/// What the first reading took, here a pause, is not held against the next; nor are the costs of a loop of few iterations.
TEST(Costs, GivenToEachLoopAreReadAfterABadStart) {
  const pool two(2);
  int asked = 0;
  const auto run = [&](int n) {
    parallel_for(0, n, [](int) { compute(std::chrono::microseconds(20)); },
                 {.schedule = "wsrw",
                  .cost =
                      [&](std::uint64_t i) {
                        if (++asked == 1) compute(std::chrono::milliseconds(50));
                        return i;
                      },
                  .on = &two,
                  .always_parallel = true});
  };
  run(2);
  EXPECT_EQ(asked, 2);
  int loops = 1;
  for (; loops < 5000 && asked < 602; ++loops) run(200);
  EXPECT_GE(asked, 602) << "three in " << loops;
}

TEST(Costs, AreReadAgainWhereThatIsLittleOfTheLoop) {
  const pool two(2);
  int asked = 0;
  steelyard::costs kept([&](std::uint64_t i) { return ++asked, i; });
  for (int round = 0; round < 5000 && asked < 400; ++round) {
    parallel_for(0, 200, [](int) { compute(std::chrono::microseconds(20)); },
                 {.schedule = "wsrw", .cost = kept, .on = &two, .always_parallel = true});
    kept.changed();
  }
  EXPECT_GE(asked, 400);
  EXPECT_GT(kept.overhead(), 0);
}

TEST(Costs, EachIterationOnceWhereverTheDearestAre) {
  std::mt19937_64 draw(1);
  for (unsigned threads = 1; threads <= 4; ++threads) {
    const pool some(threads);
    for (int round = 0; round < 50; ++round) {
      std::vector<int> costs(1 + draw() % (round % 2 == 0 ? 20 : 2000), 1);
      for (int hub = 0; hub < 3; ++hub) costs[draw() % costs.size()] = 1000;
      expect_whole(costs.size(), costs, some);
    }
  }
}

TEST(Costs, KeptCanBeAnArray) {
  const pool two(2);
  const steelyard::costs kept(std::vector<int>(100, 3));
  expect_whole(100, kept, two);
  expect_whole(5000, kept, two);
}

/// What one loop's exception changes, others use.
TEST(Costs, SharedByThreadsThatThrow) {
  const steelyard::costs kept([](std::uint64_t i) { return i % 7; });
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (int t = 0; t < 3; ++t) {
    threads.emplace_back([&, t] {
      const pool two(2);
      for (int round = 0; round < 100; ++round) {
        std::atomic<int> ran{0};
        try {
          parallel_for(0, 200, [&](int i) { t == 0 && i == 100 ? throw round : void(++ran); },
                       {.cost = kept, .on = &two, .always_parallel = true});
        } catch (int) {
          continue;
        }
        wrong += ran == 200 ? 0 : 1;
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

/// Who reads iteration 0 waits there for another thread.
TEST(Costs, AreReadByAllMembers) {
  const pool three(3);
  constexpr std::size_t n = 100'000;
  std::atomic<std::size_t> asked{0};
  std::atomic<bool> another{false};
  const auto caller = std::this_thread::get_id();
  const steelyard::costs kept([&](std::uint64_t i) {
    ++asked;
    if (std::this_thread::get_id() != caller) another = true;
    while (i == 0 && !another) std::this_thread::yield();
    return 1 + i % 7;
  });
  counts seen(n);
  parallel_for(std::size_t{0}, n, [&](std::size_t i) { seen.ran(i); },
               {.schedule = "wsrw", .cost = kept, .on = &three, .always_parallel = true});
  EXPECT_EQ(seen.wrong(), 0U);
  EXPECT_EQ(asked, n);
  EXPECT_EQ(kept.known(), 1);
}

TEST(Costs, ThatThrowElsewhereEndTheLoop) {
  const pool two(2);
  std::atomic<bool> thrown{false};
  const auto caller = std::this_thread::get_id();
  const auto cost = [&](std::uint64_t i) {
    if (std::this_thread::get_id() != caller && !thrown.exchange(true)) throw 5;
    while (i == 0 && !thrown) std::this_thread::yield();
    return i;
  };
  EXPECT_THROW(
      parallel_for(0, 100'000, [](int) {}, {.schedule = "wsrw", .cost = cost, .on = &two, .always_parallel = true}),
      int);
}

TEST(Costs, WithoutReadCostsAreReadByTheCaller) {
  struct state {
    std::thread::id caller = std::this_thread::get_id();
    std::atomic<int> by_others{0};
    counts seen{20'000};
  } its;
  steelyard_costs* const costs = steelyard_costs_create(
      [](void* of, std::uint64_t, std::uint64_t count, double* out) {
        auto& at = *static_cast<state*>(of);
        if (std::this_thread::get_id() != at.caller) ++at.by_others;
        std::fill_n(out, count, 1.0);
        out[0] = 2;
      },
      &its, 0);
  steelyard_loop loop{};
  loop.size = sizeof loop;
  loop.iterations = 20'000;
  loop.body = &its;
  loop.run = [](void* of, steelyard_member*, std::uint64_t first, std::uint64_t count, std::uint64_t stride) {
    for (; count != 0; --count, first += stride) static_cast<state*>(of)->seen.ran(first);
  };
  loop.schedule = "wsrw";
  loop.flags = STEELYARD_ALWAYS_PARALLEL;
  loop.costs = costs;
  const pool two(2);
  loop.pool = two.handle();
  EXPECT_EQ(steelyard_loop_run(&loop), STEELYARD_DONE);
  EXPECT_EQ(its.seen.wrong(), 0U);
  EXPECT_EQ(its.by_others, 0);
  EXPECT_EQ(steelyard_costs_known(costs), 1);
  loop.size = sizeof loop - 1;
  EXPECT_EQ(steelyard_loop_run(&loop), STEELYARD_INVALID);
  steelyard_costs_destroy(costs);
}

/// The second member may have taken some of the caller's share before that begins, but not its first iterations, as a rule.
TEST(Costs, WhatIsMostExpensiveBegins) {
  const pool two(2);
  std::vector<int> costs(800, 1);
  costs[450] = 500;  // of the caller, who has each second block of 100
  int times = 0;
  for (int round = 0; round < 100 && times == 0; ++round) {
    std::atomic<int> first{-1};
    const auto caller = std::this_thread::get_id();
    parallel_for(0, 800,
                 [&](int i) {
                   int none = -1;
                   if (std::this_thread::get_id() == caller) first.compare_exchange_strong(none, i);
                 },
                 {.schedule = "wsrw", .cost = costs, .on = &two, .always_parallel = true});
    times += first == 450 ? 1 : 0;
  }
  EXPECT_GT(times, 0);
}

}  // namespace
