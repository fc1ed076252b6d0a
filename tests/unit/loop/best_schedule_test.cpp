// SPDX-License-Identifier: Apache-2.0
#include "loop/best_schedule.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace steelyard::loop {
namespace {

constexpr std::uint64_t iterations = 1000;

/// Of loops like those below.
learn::automatic& chooser_of(best_schedule& best, learn::shares& shares, std::uint64_t n = iterations) {
  return *best.chooser(n, 2, {}, shares);
}

/// An instance whose iterations cost more and more, and which takes so long.
void run(best_schedule& best, learn::shares& shares, std::uint64_t ticks) {
  auto& chooser = chooser_of(best, shares);
  learn::observation seen;
  if (chooser.next(iterations, 2).observed) {
    auto* const profile = best.profile(iterations);
    for (std::uint64_t i = 0; i < iterations; ++i) profile->took(i, 1, 2 * ticks * i / (iterations / 2) / iterations);
    seen = {profile, 1};
  }
  best.ended(chooser, ticks, seen, shares);
}

/// 100,000 ticks are guessed for each of two members.
TEST(BestSchedule, ForetellsOnceTheLoopsHavePaidForIt) {
  best_schedule best(nullptr);
  learn::shares shares;
  for (int i = 0; i < 19; ++i) {
    run(best, shares, 1'000'000);
    EXPECT_FALSE(chooser_of(best, shares).is_settled()) << i;
  }
  for (int i = 0; i < 5; ++i) run(best, shares, 1'000'000);
  EXPECT_TRUE(chooser_of(best, shares).is_settled());
}

TEST(BestSchedule, ForetellsAtOnceWhereOneInstancePays) {
  best_schedule best(nullptr);
  learn::shares shares;
  for (int i = 0; i < 5; ++i) run(best, shares, 100'000'000);
  EXPECT_TRUE(chooser_of(best, shares).is_settled());
  EXPECT_LE(chooser_of(best, shares).settled_after(), 5U);
}

TEST(BestSchedule, TeachesSharesWhatItHasLearnt) {
  best_schedule best(nullptr);
  learn::shares shares;
  run(best, shares, 100'000'000);
  std::uint64_t ends[2];
  ASSERT_TRUE(shares.deal(iterations, 2, ends));
  EXPECT_NEAR(static_cast<double>(ends[0]), 707, 5) << "half of a triangle";
}

std::vector<std::uint64_t> lessons_of(const best_schedule& best) {
  std::vector<std::uint64_t> trip_counts;
  best.each_lesson([&](const learn::lesson& what) { trip_counts.push_back(what.iterations); });
  return trip_counts;
}

TEST(BestSchedule, HasALessonOfEachTripCountThatIsSettled) {
  best_schedule best(nullptr);
  learn::shares shares;
  run(best, shares, 100'000'000);
  EXPECT_TRUE(lessons_of(best).empty());
  for (int i = 0; i < 10; ++i) run(best, shares, 100'000'000);
  static_cast<void>(chooser_of(best, shares, 10 * iterations));
  EXPECT_EQ(lessons_of(best), std::vector<std::uint64_t>{iterations});
}

TEST(BestSchedule, KnowsLoopsOfAnotherTripCountApart) {
  best_schedule best(nullptr);
  learn::shares shares;
  for (int i = 0; i < 5; ++i) {
    run(best, shares, 100'000'000);
    static_cast<void>(chooser_of(best, shares, 10 * iterations));
  }
  EXPECT_TRUE(chooser_of(best, shares).is_settled());
  EXPECT_FALSE(chooser_of(best, shares, 10 * iterations).is_settled());
}

}  // namespace
}  // namespace steelyard::loop
