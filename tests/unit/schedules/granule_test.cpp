// SPDX-License-Identifier: Apache-2.0
#include "schedules/granule.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "loop_run.hpp"

namespace steelyard::schedules {
namespace {

using testing::covers;
using testing::everybody;
using testing::handed_out;
using testing::in_random_order;
using testing::loop_run;

constexpr std::uint64_t greatest = ~std::uint64_t{0};

TEST(Granule, CountsWhatHoldsTheIterations) {
  EXPECT_EQ(granules(0, 5), 0U);
  EXPECT_EQ(granules(1, 5), 1U);
  EXPECT_EQ(granules(5, 5), 1U);
  EXPECT_EQ(granules(6, 5), 2U);
  EXPECT_EQ(granules(7, 0), 7U) << "no granule";
  EXPECT_EQ(granules(7, 1), 7U);
  EXPECT_EQ(granules(greatest, 2), std::uint64_t{1} << 63);
  EXPECT_EQ(granules(greatest, greatest), 1U);
  EXPECT_EQ(granules(greatest, greatest - 1), 2U);
}

TEST(Granule, RoundsUpWhatTheScheduleIsTold) {
  shape loop{1000, 4, 65};
  loop.known.grain = 1;
  loop.known.most_at_once = 64;
  loop.experiment.least_left = 129;
  const auto dealt = in_granules(loop, 64);
  EXPECT_EQ(dealt.iterations, 16U);
  EXPECT_EQ(dealt.members, 4U);
  EXPECT_EQ(dealt.chunk, 2U);
  EXPECT_EQ(dealt.known.grain, 1U);
  EXPECT_EQ(dealt.known.most_at_once, 1U);
  EXPECT_EQ(dealt.experiment.least_left, 3U);
  EXPECT_EQ(in_granules(loop, 0).iterations, 1000U) << "no granule";
  EXPECT_EQ(in_granules(loop, 1).chunk, 65U);
  loop.chunk = 0;
  EXPECT_EQ(in_granules(loop, 64).chunk, 0U) << "the schedule's default";
}

TEST(Granule, FrontsOfStepsAreIterations) {
  step whole{3, 4, 1};
  EXPECT_EQ(take_front(whole, 10, 1000), (step{30, 40, 1}));
  EXPECT_EQ(whole.count, 0U);
  step last{3, 4, 1};
  EXPECT_EQ(take_front(last, 10, 61), (step{30, 31, 1}));
  step strided{1, 2, 5};
  EXPECT_EQ(take_front(strided, 10, 61), (step{10, 10, 1}));
  EXPECT_EQ(strided, (step{6, 1, 5}));
  EXPECT_EQ(take_front(strided, 10, 61), (step{60, 1, 1}));
  EXPECT_EQ(strided.count, 0U);
}

TEST(Granule, FrontsReachTheEndOfTheLongestLoop) {
  constexpr std::uint64_t size = (std::uint64_t{1} << 62) + 1;
  step all{0, granules(greatest, size), 1};
  EXPECT_EQ(take_front(all, size, greatest), (step{0, greatest, 1}));
  step last{3, 1, 1};
  EXPECT_EQ(take_front(last, size, greatest), (step{3 * size, greatest - 3 * size, 1}));
}

/// The pieces of a loop of granules, in iterations; whether each is a union of whole granules.
std::vector<handed_out> pieces(const operations& schedule, const shape& loop, std::uint64_t granule,
                               std::mt19937_64& draw) {
  loop_run run(schedule, in_granules(loop, granule));
  std::vector<handed_out> all;
  for (auto [who, what] : in_random_order(run, everybody(loop.members), draw)) {
    while (what.count != 0) {
      const auto front = take_front(what, granule, loop.iterations);
      all.push_back({who, front});
      EXPECT_EQ(front.first % granule, 0U);
      EXPECT_TRUE(front.count % granule == 0 || front.first + front.count == loop.iterations);
    }
  }
  return all;
}

TEST(Granule, EveryScheduleCoversTheLoopInWholeChunks) {
  std::mt19937_64 draw(11);
  for (const auto& schedule : all()) {
    for (const std::uint64_t n : {0U, 1U, 7U, 63U, 64U, 65U, 1000U}) {
      for (const std::uint64_t granule : {2U, 3U, 64U, 1024U}) {
        for (const std::uint32_t members : {1U, 2U, 3U, 8U, 17U, 128U}) {
          for (const std::uint64_t chunk : {0U, 1U, 64U, 100U}) {
            const shape loop{
                n, members, chunk, draw(), {.contiguous = (draw() & 1) != 0, .all_arrive = (draw() & 1) != 0}};
            ASSERT_TRUE(covers(pieces(schedule, loop, granule, draw), n))
                << schedule.about.name << " N " << n << " granule " << granule << " members " << members << " chunk "
                << chunk;
          }
        }
      }
    }
  }
}

TEST(Granule, EveryScheduleCoversLoopsOfAnyLength) {
  std::mt19937_64 draw(12);
  for (const auto& schedule : all()) {
    for (const auto n : {(std::uint64_t{1} << 32) + 1, (std::uint64_t{1} << 63) + 5, greatest}) {
      for (const auto granule : {n / 1000 + 1, n / 3, n - 1, n, greatest}) {
        const shape loop{n, 7, 0, draw(), {.contiguous = (draw() & 1) != 0}};
        ASSERT_TRUE(covers(pieces(schedule, loop, granule, draw), n))
            << schedule.about.name << " N " << n << " granule " << granule;
      }
    }
  }
}

}  // namespace
}  // namespace steelyard::schedules
