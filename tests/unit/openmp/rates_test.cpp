// SPDX-License-Identifier: Apache-2.0
// What the drop-in learns of the times of iterations under a schedule that a user has named. The host is the runtime of pthreads in
// tests/stress.
#include "openmp/measure/rates.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <vector>

#include "chosen_for_all.hpp"
#include "gomp.hpp"
#include "learn/rate.hpp"
#include "schedules/registry.hpp"

namespace {

namespace openmp = steelyard::openmp;
namespace schedules = steelyard::schedules;

constexpr long iterations = 65'536;
constexpr unsigned threads = 2;

struct counted {
  std::atomic<long> ran{0};
  std::atomic<long> most{0};  ///< of the first chunks of the members
};

void raise_to(std::atomic<long>& value, long least) {
  auto seen = value.load();
  while (least > seen && !value.compare_exchange_weak(seen, least)) continue;
}

/// A site for each Place, whose iterations take some nanoseconds. What the largest first chunk of a member had.
template <int Place>
[[gnu::noinline]] long first_chunk_of_instance() {
  counted found;
  GOMP_parallel(
      [](void* data) {
        auto& of = *static_cast<counted*>(data);
        long from = 0;
        long to = 0;
        bool more = GOMP_loop_nonmonotonic_dynamic_start(0, iterations, 1, 1, &from, &to);
        if (more) raise_to(of.most, to - from);
        for (; more; more = GOMP_loop_nonmonotonic_dynamic_next(&from, &to)) {
          of.ran += to - from;
          for (; from < to; ++from) asm volatile("");
        }
        GOMP_loop_end_nowait();
      },
      &found, threads, 0);
  asm volatile("" ::"r"(Place));
  EXPECT_EQ(found.ran, iterations);
  return found.most;
}

openmp::site& newest_loop() {
  auto* at = openmp::first_site();
  while (at->rated.read() == 0 && at->next != nullptr) at = at->next;
  return *at;
}

TEST(Rates, OfOneInstanceTellHowManyAreWorthHandingOutInTheNext) {
  openmp::choose_for_all("steal");
  EXPECT_EQ(first_chunk_of_instance<1>(), 1);
  EXPECT_NE(newest_loop().rate.get(), 0U);
  long later = 1;  // a member that came late in the first one makes iterations look dear, until others are timed
  for (int again = 0; again < 100 && later == 1; ++again) later = first_chunk_of_instance<1>();
  EXPECT_GT(later, 1);
}

TEST(Rates, AreThoseOfASite) {
  openmp::choose_for_all("steal");
  first_chunk_of_instance<2>();
  EXPECT_EQ(first_chunk_of_instance<3>(), 1) << "another loop";
}

TEST(Rates, AreMeasuredNowAndThen) {
  openmp::choose_for_all("wsri");
  openmp::plan by{schedules::find("wsri"), 0, threads};
  openmp::site at;
  std::vector<std::uint64_t> timed;
  for (std::uint64_t i = 0; i < 200; ++i) {
    plan_by_rate(at, by, iterations, 1);
    if (by.timed) timed.push_back(i);
    count_for_rate(at, by);
  }
  EXPECT_EQ(timed, (std::vector<std::uint64_t>{0, 1, 2, 4, 8, 16, 32, 61, 122, 183}));
}

TEST(Rates, AreNotWantedWhereTheChunkIsGivenOrNobodySteals) {
  const auto is_rated = [](const char* schedule, std::uint64_t chunk) {
    openmp::site at;
    openmp::plan by{schedules::find(schedule), chunk, threads};
    plan_by_rate(at, by, iterations, 1);
    count_for_rate(at, by);
    EXPECT_EQ(at.rated.read() != 0, by.rated);
    return by.rated;
  };
  EXPECT_TRUE(is_rated("steal", 0));
  EXPECT_TRUE(is_rated("wsrw", 0));
  EXPECT_FALSE(is_rated("steal", 8));
  for (const char* const other : {"static", "dynamic", "guided", "nustatic", "wsri:paper", "idws", "random"})
    EXPECT_FALSE(is_rated(other, 0)) << other;
}

TEST(Rates, KeepToGranules) {
  openmp::site at;
  at.rate.set(steelyard::learn::rate_of(10, 1));
  openmp::plan by{schedules::find("steal"), 0, threads};
  plan_by_rate(at, by, iterations, 64);
  EXPECT_EQ(by.grain % 64, 0U);
  EXPECT_GE(by.grain, 64U);
  EXPECT_LE(by.grain, 128U) << "a thousand ticks";
}

}  // namespace
