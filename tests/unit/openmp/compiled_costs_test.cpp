// SPDX-License-Identifier: Apache-2.0
// Costs of rewritten loops, stated by the members of a team. The host is the runtime of pthreads in tests/stress, time is made up.
#include "openmp/compiled/costs.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <utility>
#include <vector>

#include "../made_up_clock.hpp"
#include "gomp.hpp"
#include "openmp/compiled/names.hpp"
#include "openmp/measure/costs.hpp"
#include "openmp/program/settings.hpp"
#include "schedules/registry.hpp"

namespace {

namespace openmp = steelyard::openmp;
namespace compiled = steelyard::openmp::compiled;
using steelyard::schedules::profile;

constexpr std::uint64_t iterations = 4096;
const compiled::table& hooks = steelyard_table_1;

void choose(const char* schedule) {
  openmp::config.active = true;
  openmp::config.spares = false;
  openmp::config.all = {steelyard::schedules::find(schedule), 0};
  for (openmp::site* each = openmp::first_site(); each != nullptr; each = each->next) each->forced = openmp::config.all;
}

/// What the first 64th of a loop has of all costs, as far as that is known now; nothing known: -1.
double part_of_first_64th(const compiled::loop& of) {
  const profile* const known = openmp::profile_of(compiled::record_of(of));
  return known != nullptr ? known->before(1, 64) / known->total() : -1;
}

/// By the clock that nobody makes up.
void compute(std::chrono::microseconds how_long) {
  if (how_long.count() == 0) return;
  timespec until;
  clock_gettime(CLOCK_MONOTONIC_RAW, &until);
  const auto nanoseconds = [](const timespec& at) { return at.tv_sec * 1'000'000'000 + at.tv_nsec; };
  const auto behind = nanoseconds(until) + std::chrono::nanoseconds(how_long).count();
  for (timespec now = until; nanoseconds(now) < behind;) clock_gettime(CLOCK_MONOTONIC_RAW, &now);
}

/// A loop, what the program knows of an iteration, and what one takes.
struct program {
  compiled::loop source;
  std::uint64_t n = iterations;
  std::uint64_t key = 0;
  std::uint64_t (*trips)(std::uint64_t i) = [](std::uint64_t i) { return i < iterations / 64 ? std::uint64_t{10} : 1; };
  std::uint64_t per_trip = 1;  ///< microseconds
  std::uint64_t per_iteration = 0;
  std::chrono::microseconds to_state{};  ///< of real time, for each member
  std::chrono::microseconds to_begin{};  ///< the same, with the loop
  int rounds = 1;                        ///< in a region
  int asked = 0;                         ///< members that were asked for costs
  std::atomic<int> stated{0};            ///< iterations whose costs were stated
  double known = 0;                      ///< when the loop began: see part_of_first_64th
  std::vector<std::atomic<int>> ran = std::vector<std::atomic<int>>(iterations);

  void state() {
    compiled::costs part;
    if (hooks.costs_begin(&part, &source, n, key) == 0) return;
    std::atomic_ref(asked).fetch_add(1);
    compute(to_state);
    while (part.at != part.behind) {
      part.sums[0] += static_cast<double>(trips(part.at));
      ++part.counted;
      part.at += std::min<std::uint64_t>(part.step, part.behind - part.at);
      ++stated;
      if (part.at >= part.next) hooks.costs_next(&part);
    }
    hooks.costs_end(&part);
  }
  void run_part() {
    compiled::part part;
    hooks.begin(&part, &source, n, hooks.member(), __builtin_return_address(0));
    compute(to_begin);
    if (hooks.member() == 0) known = part_of_first_64th(source);
    while (part.more > compiled::block ? hooks.next(&part) != 0 : std::exchange(part.more, 0) != 0) {
      for (auto i = part.begin; i < part.end; ++i) {
        ++ran[i];
        made_up_clock::work(std::chrono::microseconds(per_iteration + per_trip * trips(i)));
      }
    }
  }
};

void run(program& of, unsigned members = 3) {
  of.asked = 0;
  of.stated = 0;
  for (auto& each : of.ran) each = 0;
  GOMP_parallel(
      [](void* data) {
        auto& all = *static_cast<program*>(data);
        for (int round = 0; round < all.rounds; ++round) {
          all.state();
          all.run_part();
        }
      },
      &of, members, 0);
  for (std::uint64_t i = 0; i < iterations; ++i) ASSERT_EQ(of.ran[i], i < of.n ? of.rounds : 0) << i;
}

constexpr double dear_part = 10.0 * 64 / (10.0 * 64 + iterations - 64);  // 0.137

TEST(CompiledCosts, AreStatedOnceWhereTheScheduleAsks) {
  choose("wsrw");
  static program programs[] = {{{"costs.c", 1, compiled::any_schedule, 0, 0, 0, 1, 0, {1}}},
                               {{"costs.c", 1, compiled::any_schedule, 0, 0, 0, 1, 0, {1}}},
                               {{"costs.c", 1, compiled::any_schedule, 0, 0, 0, 1, 0, {1}}}};
  for (const unsigned members : {2U, 3U, 8U}) {
    program& of = programs[members / 3];
    run(of, members);
    EXPECT_EQ(of.asked, static_cast<int>(members));
    EXPECT_EQ(of.stated, static_cast<int>(iterations));
    EXPECT_NEAR(of.known, dear_part, 0.001) << members;
    EXPECT_STREQ(openmp::origin_of_costs(compiled::record_of(of.source)), "derived");
  }
}

TEST(CompiledCosts, AreNotAskedForWhereTheyAreOfNoUse) {
  static program of{{"costs.c", 2, compiled::any_schedule, 0, 0, 0, 1, 0, {1}}};
  for (const char* schedule : {"steal", "dynamic", "wsri", "jit"}) {
    choose(schedule);
    run(of);
    EXPECT_EQ(of.asked, 0) << schedule;
  }
  choose("wsrw");
  run(of, 1);
  EXPECT_EQ(of.asked, 0) << "one member";
  of.n = 0;
  run(of);
  EXPECT_EQ(of.asked, 0) << "no iterations";
  of.n = iterations;
  of.source.terms = 0;
  run(of);
  EXPECT_EQ(of.asked, 0) << "no terms";
}

TEST(CompiledCosts, OfTheSameKeyAreStatedOnce) {
  choose("wsrw");
  static program of{{"costs.c", 3, compiled::any_schedule, compiled::costs_have_keys, 0, 0, 1, 0, {1}}};
  run(of);
  EXPECT_EQ(of.stated, static_cast<int>(iterations));
  run(of);
  EXPECT_EQ(of.stated, 0);
  of.key = 1;
  run(of);
  EXPECT_EQ(of.stated, static_cast<int>(iterations));
  of.n = iterations / 2;
  run(of);
  EXPECT_EQ(of.stated, static_cast<int>(iterations / 2));
}

TEST(CompiledCosts, MayBeSampled) {
  choose("wsrw");
  static program of{{"costs.c", 4, compiled::any_schedule, 0, 0, 9, 1, 0, {1}}};
  run(of);
  EXPECT_NEAR(of.stated, iterations / 9.0, 4);
  EXPECT_NEAR(of.known, dear_part, 0.01);
}

TEST(CompiledCosts, OfShortLoopsAreStatedToo) {
  choose("wsrw");
  static program of{{"costs.c", 5, compiled::any_schedule, 0, 0, 0, 1, 0, {1}}};
  for (const std::uint64_t n :
       {std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{7}, std::uint64_t{1000}, std::uint64_t{1025}}) {
    of.n = n;
    run(of, 4);
    EXPECT_EQ(of.stated, static_cast<int>(n));
  }
}

TEST(CompiledCosts, ThatAreEqualOrUnknownBeforeAreNotLearnt) {
  choose("wsrw");
  static program equal{{"costs.c", 6, compiled::any_schedule, compiled::costs_are_equal, 0, 0, 0, 0, {}}};
  static program guarded{{"costs.c", 7, compiled::any_schedule, compiled::costs_are_guarded, 0, 0, 0, 0, {}}};
  for (program* of : {&equal, &guarded}) {
    for (int round = 0; round < 3; ++round) run(*of);
    openmp::site& at = compiled::record_of(of->source);
    EXPECT_FALSE(openmp::is_time_to_learn(at));
    EXPECT_EQ(openmp::profile_of(at), nullptr) << "no numbers";
  }
}

/// A trip takes 2 us and an iteration 20 beside: the guess has said that trips are all.
TEST(CompiledCosts, FollowFromTimedChunksInTheEnd) {
  choose("wsrw");
  static program of{{"costs.c", 8, compiled::any_schedule, 0, 0, 0, 1, 0, {1}}};
  of.trips = [](std::uint64_t i) { return i * 20 / iterations; };
  of.state();  // outside of a region nobody asks
  EXPECT_EQ(of.stated, 0);
  of.per_trip = 2;
  of.per_iteration = 20;
  for (int round = 0; round < 8; ++round) run(of);
  const double true_part = 20.0 / (20 + 2 * 9.5) / 64;
  EXPECT_NEAR(of.known / true_part, 1, 0.2);
}

/// Operations of a trip, as the compiler guesses: the loop takes seconds.
constexpr double worth_it = 1e10;

/// The first time is on trust; then 250 times as much is to be paid.
TEST(CompiledCosts, AreAskedForWhereLoopsHavePaid) {
  choose("wsrw");
  openmp::config.spares = true;
  static program of{{"costs.c", 11, compiled::any_schedule, 0, 0, 0, 1, 1, {worth_it}}};
  of.to_state = std::chrono::milliseconds(1);
  for (const int asked : {3, 0, 0, 0}) {
    run(of);
    EXPECT_EQ(of.asked, asked);
  }
  EXPECT_NEAR(of.known, dear_part, 0.02) << "as they were known";
  of.to_state = {};
  of.to_begin = std::chrono::milliseconds(10);
  int loops = 0;
  for (; of.asked == 0 && loops < 10000; ++loops) run(of);
  EXPECT_EQ(of.asked, 3) << loops;
  EXPECT_GT(loops, 5);
}

/// Whoever was asked waits for the others, so all are asked as often.
TEST(CompiledCosts, AreAskedOfAllWithinARegion) {
  choose("wsrw");
  openmp::config.spares = true;
  static program of{{"costs.c", 12, compiled::any_schedule, 0, 0, 0, 1, 1, {worth_it}}};
  of.to_state = std::chrono::milliseconds(1);
  of.rounds = 7;
  run(of);
  EXPECT_EQ(of.asked, 3 * 2) << "who ends last decides before it is told how long that took";
}

/// Who comes first has stated a 16th of its part when it sees that this takes as long as the loop. The others state nothing.
TEST(CompiledCosts, AreNotStatedWhereThatTakesTooMuch) {
  choose("wsrw");
  openmp::config.spares = true;
  static program of{{"costs.c", 13, compiled::any_schedule, 0, 0, 0, 1, 1, {1}}};
  of.to_state = std::chrono::microseconds(100);
  of.rounds = 2;
  run(of);
  EXPECT_EQ(of.asked, 1) << "and nobody in the second round";
  EXPECT_GE(of.stated, static_cast<int>(iterations / 3 / 16));
  EXPECT_LE(of.stated, static_cast<int>(iterations / 3 / 16 + 8));
  EXPECT_EQ(of.known, -1);
  of.to_state = {};
  of.to_begin = std::chrono::milliseconds(10);
  int loops = 0;
  for (; of.asked == 0 || loops == 0; ++loops) {
    ASSERT_LT(loops, 10000);
    run(of);
  }
  EXPECT_EQ(of.stated % static_cast<int>(iterations), 0) << "all of them, once it is paid";
  EXPECT_GT(loops, 5);
}

/// In a unit that is the author's own business.
TEST(CompiledCosts, ThatTheAuthorSaysAreBelieved) {
  choose("wsrw");
  openmp::config.spares = true;
  static program of{{"costs.c", 15, compiled::any_schedule, 0, 0, 0, 1, 0, {1}}};
  of.to_state = std::chrono::milliseconds(1);
  run(of);
  EXPECT_EQ(of.stated, static_cast<int>(iterations));
}

/// Before its region a loop of the runtime's is stated by one thread.
TEST(CompiledCosts, AreNotStatedByOneThreadWhereThatTakesTooMuch) {
  choose("wsrw");
  openmp::config.spares = true;
  static program of{{"costs.c", 14, compiled::of_runtime, 0, 0, 0, 1, 1, {1}}};
  of.to_state = std::chrono::milliseconds(1);
  of.state();
  EXPECT_LE(of.stated, static_cast<int>(iterations / 16 + 8));
  const int before = of.stated;
  of.state();
  EXPECT_EQ(of.stated, before);
}

/// A loop that the program leaves to the runtime: its costs are those of the loop that is opened next.
TEST(CompiledCosts, AreHandedOnToALoopOfTheRuntime) {
  choose("wsrw");
  static program of{{"costs.c", 9, compiled::of_runtime, 0, 0, 0, 1, 0, {1}}};
  static program next{{"costs.c", 10, compiled::any_schedule, 0, 0, 0, 0, 0, {}}};
  of.state();  // before the region, by one thread
  EXPECT_EQ(of.stated, static_cast<int>(iterations));
  run(next);
  EXPECT_NEAR(next.known, dear_part, 0.001);
}

}  // namespace
