// SPDX-License-Identifier: Apache-2.0
#include "loop/best_schedule.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string_view>

namespace steelyard::loop {
namespace {

constexpr std::uint64_t iterations = 1000;

/// An instance whose iterations cost more and more, and which takes so long.
void run(best_schedule& best, learn::shares& shares, std::uint64_t ticks) {
  auto* const chooser = best.chooser();
  const auto plan = chooser->next(iterations, 2);
  if (plan.observed) {
    for (std::uint64_t i = 0; i < iterations; ++i)
      chooser->profile().took(i, 1, 2 * ticks * i / (iterations / 2) / iterations);
  }
  best.took(ticks, 1, shares);
}

/// 50,000 ticks are guessed for each of two members.
TEST(BestSchedule, ForetellsOnceTheLoopsHavePaidForIt) {
  best_schedule best;
  learn::shares shares;
  for (int i = 0; i < 9; ++i) {
    run(best, shares, 1'000'000);
    EXPECT_FALSE(best.chooser()->is_settled()) << i;
  }
  for (int i = 0; i < 4; ++i) run(best, shares, 1'000'000);
  EXPECT_TRUE(best.chooser()->is_settled());
}

TEST(BestSchedule, ForetellsAtOnceWhereOneInstancePays) {
  best_schedule best;
  learn::shares shares;
  for (int i = 0; i < 5; ++i) run(best, shares, 100'000'000);
  EXPECT_TRUE(best.chooser()->is_settled());
  EXPECT_LE(best.chooser()->settled_after(), 5U);
}

TEST(BestSchedule, TeachesSharesWhatItHasLearnt) {
  best_schedule best;
  learn::shares shares;
  run(best, shares, 100'000'000);
  std::uint64_t ends[2];
  ASSERT_TRUE(shares.deal(iterations, 2, ends));
  EXPECT_NEAR(static_cast<double>(ends[0]), 707, 5) << "half of a triangle";
}

TEST(BestSchedule, OfAStoppedInstanceLearnsNothing) {
  best_schedule best;
  learn::shares shares;
  EXPECT_TRUE(best.chooser()->next(iterations, 2).observed);
  best.stopped();
  EXPECT_TRUE(best.chooser()->next(iterations, 2).observed);
  EXPECT_FALSE(best.chooser()->is_settled());
}

}  // namespace
}  // namespace steelyard::loop
