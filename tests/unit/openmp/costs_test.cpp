// SPDX-License-Identifier: Apache-2.0
// What the drop-in knows of a loop's costs: learnt, or declared by steelyard_loop_cost. The host is the runtime of pthreads
// in tests/stress, time is made up.
#include "openmp/measure/costs.hpp"

#include <gtest/gtest.h>
#include <steelyard/loop_cost.h>

#include <atomic>
#include <cstdint>
#include <string>

#include "../made_up_clock.hpp"
#include "chosen_for_all.hpp"
#include "gomp.hpp"
#include "schedules/profile.hpp"
#include "schedules/registry.hpp"

extern "C" {
int omp_get_num_threads();
}

namespace {

namespace openmp = steelyard::openmp;
namespace schedules = steelyard::schedules;
using schedules::profile;

constexpr long iterations = 4096;

/// Iterations before `expensive` take ten times as long as the others.
struct loop_of {
  long expensive;
  std::atomic<int> members{0};
  std::atomic<long> ran{0};
  std::atomic<long> first_chunk{0};  ///< iterations of the one that the loop begins with
};

void run_iteration(bool expensive) { made_up_clock::work(std::chrono::microseconds(expensive ? 10 : 1)); }

/// A site for each Place.
template <int Place>
[[gnu::noinline]] void run(loop_of& loop, unsigned threads = 2) {
  GOMP_parallel(
      [](void* data) {
        auto& of = *static_cast<loop_of*>(data);
        of.members = omp_get_num_threads();
        long from = 0;
        long to = 0;
        for (bool more = GOMP_loop_nonmonotonic_dynamic_start(0, iterations, 1, 1, &from, &to); more;
             more = GOMP_loop_nonmonotonic_dynamic_next(&from, &to)) {
          of.ran += to - from;
          if (from == 0) of.first_chunk = to;
          for (long i = from; i < to; ++i) run_iteration(i < of.expensive);
        }
        GOMP_loop_end_nowait();
      },
      &loop, threads, 0);
  asm volatile("" ::"r"(Place));
}

/// The sites met since it was made.
class sites_since {
 public:
  /// Of the costs of the newest that has some, what the first 64th of the loop has; nothing known: -1.
  [[nodiscard]] double part_of_first_64th() const {
    for (const auto* each = openmp::first_site(); each != before_; each = each->next) {
      const auto* const known = openmp::profile_of(*each);
      if (known != nullptr) return known->before(1, 64) / known->total();
    }
    return -1;
  }

  /// How those came to be known; nothing known: "".
  [[nodiscard]] std::string origin() const {
    for (const auto* each = openmp::first_site(); each != before_; each = each->next) {
      if (const char* const origin = openmp::origin_of_costs(*each); origin != nullptr) return origin;
    }
    return "";
  }

 private:
  openmp::site* before_ = openmp::first_site();
};

constexpr double dear_part = 10.0 * 64 / (10.0 * 64 + iterations - 64);  // 0.137

TEST(Costs, AreLearntWhereTheScheduleAsks) {
  openmp::choose_for_all("wsrw");
  const sites_since met;
  loop_of loop{64};
  run<1>(loop);
  EXPECT_EQ(loop.ran, iterations);
  EXPECT_EQ(met.origin(), "") << "none was balanced by them yet";
  for (int again = 0; again < 3; ++again) run<1>(loop);
  EXPECT_EQ(met.origin(), "learnt");
  EXPECT_NEAR(met.part_of_first_64th(), dear_part, 0.08) << "also when a thread loses its core for a while";
}

/// Whether loops have paid for it or not: they are short.
TEST(Costs, AreLearntAnew) {
  openmp::choose_for_all("wsrw");
  openmp::config.spares = false;
  const sites_since met;
  loop_of first{64};
  run<2>(first);
  ASSERT_GT(met.part_of_first_64th(), 0.03) << "0.14 where nothing disturbs, 1 / 64 where all cost the same";
  loop_of even{0};
  for (int i = 0; i < 129; ++i) run<2>(even);
  EXPECT_EQ(even.ran, 129 * iterations);
  EXPECT_LT(met.part_of_first_64th(), 0.03);
}

TEST(Costs, OfOtherSchedulesAreNotLearnt) {
  openmp::choose_for_all("wsri");
  const sites_since met;
  loop_of loop{64};
  run<3>(loop);
  EXPECT_EQ(met.part_of_first_64th(), -1);
  EXPECT_EQ(met.origin(), "");
}

struct declaration {
  long calls = 0;
  long expensive;
};
double declared_cost(void* of, std::int64_t i) {
  auto& told = *static_cast<declaration*>(of);
  ++told.calls;
  return i < told.expensive ? 10 : 1;
}

TEST(Costs, CanBeDeclared) {
  openmp::choose_for_all("wsrw");
  const sites_since met;
  static char here;
  declaration told{0, 64};
  loop_of loop{0};  // not what was declared, so nothing is learnt
  STEELYARD_LOOP_COST(&here, 0, iterations, 1, declared_cost, &told);
  EXPECT_EQ(told.calls, iterations);
  for (int i = 0; i < 3; ++i) run<4>(loop);
  EXPECT_EQ(told.calls, iterations) << "good until declared anew";
  EXPECT_EQ(loop.ran, 3 * iterations);
  EXPECT_EQ(met.origin(), "declared");
  EXPECT_NEAR(met.part_of_first_64th(), dear_part, 0.001);
  told.expensive = 0;
  steelyard_loop_cost(&here, iterations - 1, -1, -1, declared_cost, &told);
  EXPECT_EQ(told.calls, 2 * iterations);
  run<4>(loop);
  EXPECT_NEAR(met.part_of_first_64th(), 1.0 / 64, 0.001);
}

/// 16 chunks for two threads: 256 iterations each where nothing is known, else a 16th of the work.
TEST(Costs, SayWhereChunksOfBinlptEnd) {
  openmp::choose_for_all("binlpt");
  const sites_since met;
  static char here;
  declaration told{0, 64};
  loop_of loop{0};
  steelyard_loop_cost(&here, 0, iterations, 1, declared_cost, &told);
  run<12>(loop);
  EXPECT_EQ(loop.ran, iterations);
  EXPECT_EQ(met.origin(), "declared");
  EXPECT_NEAR(static_cast<double>(loop.first_chunk), (10.0 * 64 + iterations - 64) / 16 / 10, 5);

  loop_of learnt{64};
  for (int i = 0; i < 4; ++i) run<13>(learnt);
  EXPECT_EQ(learnt.ran, 4 * iterations);
  EXPECT_EQ(met.origin(), "learnt");
  EXPECT_LT(learnt.first_chunk, 128);
}

/// Of another number of iterations, they are no costs of this loop.
TEST(Costs, ThatDoNotFitAreNotUsed) {
  openmp::choose_for_all("wsrw");
  const sites_since met;
  static char here;
  declaration told{0, 64};
  loop_of loop{0};
  steelyard_loop_cost(&here, 0, iterations / 2, 1, declared_cost, &told);
  run<8>(loop);
  EXPECT_EQ(loop.ran, iterations);
  EXPECT_EQ(met.origin(), "");
}

TEST(Costs, CanBeSaidToBeEqual) {
  openmp::choose_for_all("wsrw");
  const sites_since met;
  static char here;
  loop_of loop{64};
  STEELYARD_LOOP_COST_KNOWN(&here, 0, iterations, 1, STEELYARD_LOOP_COST_EQUAL);
  for (int i = 0; i < 3; ++i) run<9>(loop);
  EXPECT_EQ(loop.ran, 3 * iterations);
  EXPECT_EQ(met.origin(), "declared");
}

TEST(Costs, CanBeSaidToStandUnderACondition) {
  openmp::choose_for_all("wsrw");
  const sites_since met;
  static char here;
  loop_of loop{64};
  STEELYARD_LOOP_COST_KNOWN(&here, 0, iterations, 1, STEELYARD_LOOP_COST_GUARDED);
  for (int i = 0; i < 3; ++i) run<10>(loop);
  EXPECT_EQ(loop.ran, 3 * iterations);
  EXPECT_EQ(met.origin(), "") << "balanced by iterations, and not learnt either";
  STEELYARD_LOOP_COST_KNOWN(&here, 0, iterations, 1, 0);
}

/// Of every member, whatever their number, and whichever ends last.
TEST(Costs, CanBeStatedByTheMembers) {
  openmp::choose_for_all("wsrw");
  static char here;
  const sites_since met;
  for (const std::uint32_t members : {1U, 3U, 2000U}) {
    loop_of loop{0};
    std::uint64_t stated = 0;
    for (std::uint32_t m = members; m-- > 0;) {
      steelyard_loop_cost_part part;
      ASSERT_TRUE(STEELYARD_LOOP_COST_BEGIN(&part, &here, 0, iterations, 1, m, members));
      for (; part.at != part.behind; ++stated) steelyard_loop_cost_put(&part, part.at < 64 ? 10 : 1);
      steelyard_loop_cost_end(&part);
    }
    EXPECT_EQ(stated, static_cast<std::uint64_t>(iterations));
    run<11>(loop);
    EXPECT_EQ(loop.ran, iterations);
    EXPECT_NEAR(met.part_of_first_64th(), dear_part, 0.001) << members;
  }
  steelyard_loop_cost_part part;
  EXPECT_FALSE(STEELYARD_LOOP_COST_BEGIN(&part, &here, 0, 0, 1, 0, 1)) << "no iterations";
  EXPECT_FALSE(STEELYARD_LOOP_COST_BEGIN(&part, &here, 0, 9, 1, 2, 2)) << "no such member";
}

/// They belong to the loop that was opened behind the declaration, not to those after it.
TEST(Costs, BelongToOneLoop) {
  openmp::choose_for_all("wsrw");
  const sites_since met;
  static char here;
  declaration told{0, iterations / 64};
  loop_of loop{0};
  steelyard_loop_cost(&here, 0, iterations, 1, declared_cost, &told);
  run<5>(loop);
  EXPECT_GT(met.part_of_first_64th(), 0.1);
  const sites_since then;
  run<6>(loop);
  EXPECT_LT(then.part_of_first_64th(), 0.1) << "this one was learnt";
}

TEST(Costs, NothingIsAskedForAnEmptyLoopOrWithoutTheDropIn) {
  openmp::choose_for_all("wsrw");
  declaration told{0, 0};
  steelyard_loop_cost(&told, 5, 5, 1, declared_cost, &told);
  steelyard_loop_cost(&told, 5, 9, -1, declared_cost, &told);
  steelyard_loop_cost(&told, 0, 9, 0, declared_cost, &told);
  steelyard_loop_cost(&told, 0, 9, 1, nullptr, &told);
  openmp::config.active = false;
  steelyard_loop_cost(&told, 0, 9, 1, declared_cost, &told);
  EXPECT_EQ(told.calls, 0);
  openmp::config.active = true;
}

TEST(Costs, ManyTeamsAtOnce) {
  openmp::choose_for_all("wsrw");
  for (int round = 0; round < 50; ++round) {
    loop_of loop{8};
    const int members = 1 + round % 8;
    run<7>(loop, static_cast<unsigned>(members));
    ASSERT_EQ(loop.members, members);
    ASSERT_EQ(loop.ran, iterations);
  }
}

}  // namespace
