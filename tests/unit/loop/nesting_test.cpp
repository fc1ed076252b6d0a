// SPDX-License-Identifier: Apache-2.0
// Who takes part: pools, nested loops, several callers at once.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <mutex>
#include <set>
#include <steelyard/loop.hpp>
#include <thread>
#include <utility>
#include <vector>

#include "loops.hpp"

namespace {

using loop_tests::all_schedules;
using loop_tests::becomes;
using loop_tests::counts;
using steelyard::parallel_for;
using steelyard::pool;

/// Iterations that wait until so many have begun: that takes as many members at once.
struct gathering {
  int wanted;
  std::atomic<int> begun{0};
  std::atomic<bool> met{true};

  void arrive() {
    ++begun;
    if (met && !becomes([&] { return begun >= wanted; })) met = false;
  }
};

/// Runs a loop in which each iteration waits until `wanted` have begun: that takes as many members at once. How many were
/// there when the first went on; far more iterations than members, because an owner keeps one for itself.
int gathers(int wanted, const steelyard::loop_options& options) {
  gathering all{wanted};
  parallel_for(
      0, 64 * wanted, [&](int) { all.arrive(); }, options);
  return all.met ? wanted : 1;
}

/// A chunk of a loop that gathers all members, at a place of its own.
template <std::size_t Place>
void gather(void* body, steelyard_member* /*self*/, std::uint64_t, std::uint64_t, std::uint64_t) {
  asm volatile("" ::"r"(Place));
  static_cast<gathering*>(body)->arrive();
}

template <std::size_t... Places>
constexpr auto gather_at(std::index_sequence<Places...>) {
  return std::array{&gather<Places>...};
}

/// Some schedules go by what members took in earlier loops of the place. To one that did not have to wait they may give all iterations.
TEST(Members, AllThreadsOfAPool) {
  constexpr std::size_t most_schedules = 80;
  constexpr std::uint32_t pools[] = {2, 3, 5};
  constexpr auto places = gather_at(std::make_index_sequence<most_schedules * std::size(pools)>{});
  ASSERT_LE(all_schedules().size(), most_schedules);
  std::size_t place = 0;
  for (const std::uint32_t threads : pools) {
    pool on(threads);
    for (const char* schedule : all_schedules()) {
      gathering all{static_cast<int>(threads)};
      steelyard_loop loop{};
      loop.size = sizeof loop;
      loop.iterations = 64 * threads;
      loop.body = &all;
      loop.run = places[place++];
      loop.schedule = schedule;
      loop.pool = on.handle();
      loop.flags = STEELYARD_ALWAYS_PARALLEL;
      ASSERT_EQ(steelyard_loop_run(&loop), STEELYARD_DONE);
      EXPECT_TRUE(all.met) << schedule << " " << threads;
    }
  }
}

struct member_numbers {
  std::atomic<std::uint64_t> seen{0};
  std::atomic<std::uint32_t> most{0};
  std::atomic<int> wrong{0};
};

TEST(Members, NumbersAreBelowTheirCount) {
  pool six(6);
  for (const char* schedule : all_schedules()) {
    for (const std::uint32_t at_most : {0U, 1U, 2U, 4U, 100U}) {
      member_numbers numbers;
      steelyard_loop loop{};
      loop.size = sizeof loop;
      loop.iterations = 200;
      loop.body = &numbers;
      loop.run = [](void* body, steelyard_member* self, std::uint64_t, std::uint64_t, std::uint64_t) {
        auto& all = *static_cast<member_numbers*>(body);
        const auto number = steelyard_member_number(self);
        if (number >= steelyard_member_count(self) || number >= 64) ++all.wrong;
        all.seen |= std::uint64_t{1} << number;
        all.most = steelyard_member_count(self);
      };
      loop.schedule = schedule;
      loop.pool = six.handle();
      loop.members = at_most;
      loop.flags = STEELYARD_ALWAYS_PARALLEL;
      ASSERT_EQ(steelyard_loop_run(&loop), STEELYARD_DONE);
      EXPECT_EQ(numbers.wrong, 0) << schedule;
      EXPECT_LE(numbers.most, at_most == 0 ? 6 : std::min(at_most, 6U)) << schedule;
    }
  }
}

TEST(Members, OneThreadIsTheCaller) {
  const auto caller = std::this_thread::get_id();
  std::atomic<int> others{0};
  const auto look = [&](int) { others += std::this_thread::get_id() == caller ? 0 : 1; };
  pool one(1);
  pool four(4);
  parallel_for(0, 1000, look, {.on = &one, .always_parallel = true});
  parallel_for(0, 1000, look, {.on = &four, .threads = 1, .always_parallel = true});
  EXPECT_EQ(others, 0);
}

TEST(Members, PoolsStayWithinThemselves) {
  pool outer(2);
  pool inner(3);
  EXPECT_EQ(outer.threads(), 2U);
  outer.run([&] {
    EXPECT_EQ(steelyard::threads(), 2U);
    EXPECT_EQ(gathers(2, {.always_parallel = true}), 2);
    inner.run([&] {
      EXPECT_EQ(steelyard::threads(), 3U);
      EXPECT_EQ(gathers(3, {.always_parallel = true}), 3);
      EXPECT_EQ(gathers(2, {.on = &outer, .always_parallel = true}), 2);
    });
    EXPECT_EQ(steelyard::threads(), 2U);
  });
  std::atomic<int> wrong{0};
  parallel_for(0, 6, [&](int) { wrong += steelyard::threads() == 3 ? 0 : 1; }, {.on = &inner, .always_parallel = true});
  EXPECT_EQ(wrong, 0) << "loops in a loop are of its pool";
}

TEST(Members, PoolRunPassesExceptionsOn) {
  pool two(2);
  const auto before = steelyard::threads();
  EXPECT_THROW(two.run([] { throw 7; }), int);
  EXPECT_EQ(steelyard::threads(), before);
}

void nest(int depth, const char* schedule, counts& leaves, std::size_t base) {
  parallel_for(std::size_t{0}, std::size_t{3},
               [&](std::size_t i) {
                 const auto at = base * 3 + i;
                 if (depth == 1) return leaves.ran(at);
                 nest(depth - 1, schedule, leaves, at);
               },
               {.schedule = schedule, .always_parallel = true});
}

TEST(Nesting, FiveDeep) {
  pool four(4);
  four.run([] {
    for (const char* schedule : all_schedules()) {
      for (int round = 0; round < 77; ++round) {  // a thousand with all schedules
        counts leaves(243);
        nest(5, schedule, leaves, 0);
        ASSERT_EQ(leaves.wrong(), 0U) << schedule;
      }
    }
  });
}

TEST(Nesting, ScheduleInSchedule) {
  pool three(3);
  for (const char* outer : all_schedules()) {
    for (const char* inner : all_schedules()) {
      counts seen(12 * 40);
      parallel_for(0U, 12U,
                   [&](unsigned i) {
                     parallel_for(0U, 40U, [&](unsigned j) { seen.ran(i * 40 + j); },
                                  {.schedule = inner, .always_parallel = true});
                   },
                   {.schedule = outer, .on = &three, .always_parallel = true});
      ASSERT_EQ(seen.wrong(), 0U) << inner << " in " << outer;
    }
  }
}

TEST(Nesting, AcrossPools) {
  pool a(3);
  pool b(2);
  counts seen(20 * 30 * 4);
  parallel_for(0U, 20U,
               [&](unsigned i) {
                 parallel_for(0U, 30U,
                              [&](unsigned j) {
                                parallel_for(0U, 4U, [&](unsigned k) { seen.ran((i * 30 + j) * 4 + k); },
                                             {.on = &a, .always_parallel = true});
                              },
                              {.schedule = "idws", .on = &b, .always_parallel = true});
               },
               {.schedule = "idws", .on = &a, .always_parallel = true});
  EXPECT_EQ(seen.wrong(), 0U);
}

TEST(Callers, ManyAtOnce) {
  pool three(3);
  std::atomic<std::size_t> wrong{0};
  std::vector<std::thread> callers;
  const auto names = all_schedules();
  for (unsigned c = 0; c < 8; ++c) {
    callers.emplace_back([&, c] {
      for (unsigned round = 0; round < 100; ++round) {
        counts seen(200);
        parallel_for(0U, 200U, [&](unsigned i) { seen.ran(i); },
                     {.schedule = names[(c + round) % names.size()], .on = &three, .always_parallel = round % 2 == 0});
        wrong += seen.wrong();
      }
    });
  }
  for (auto& caller : callers) caller.join();
  EXPECT_EQ(wrong, 0U);
}

TEST(Callers, OnTheProcessPoolFromTheirFirstLoopOn) {
  std::atomic<std::size_t> wrong{0};
  std::vector<std::thread> callers;
  for (unsigned c = 0; c < 8; ++c) {
    callers.emplace_back([&] {
      counts seen(1000);
      parallel_for(0U, 1000U, [&](unsigned i) { seen.ran(i); });
      wrong += seen.wrong();
    });
  }
  for (auto& caller : callers) caller.join();
  EXPECT_EQ(wrong, 0U);
}

TEST(Pools, ComeAndGoWithLoopsInBetween) {
  for (std::uint32_t round = 0; round < 100; ++round) {
    pool on(round % 4 + 1);
    counts seen(50);
    parallel_for(0U, 50U, [&](unsigned i) { seen.ran(i); },
                 {.schedule = round % 2 == 0 ? "idws" : "steal", .on = &on, .always_parallel = true});
    ASSERT_EQ(seen.wrong(), 0U);
  }
}

}  // namespace
