// SPDX-License-Identifier: Apache-2.0
#include "loop/pace.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace steelyard::loop {
namespace {

/// Claims until the next look at the clock.
std::uint64_t claims(const pace& its) { return its.until(0) / its.step(); }

/// A member runs until it looks at the clock, by iterations that take so many ticks.
void run(pace& its, std::uint64_t of_iteration) {
  const auto done = its.until(0);
  its.begin(0);
  its.ran(done, done * of_iteration);
}

TEST(pace, looks_soon_where_nothing_is_known) {
  pace its(1);
  EXPECT_EQ(claims(its), 1U);
  for (const std::uint64_t expected : {4U, 16U, 64U, 256U, 256U}) {
    run(its, 100);
    EXPECT_EQ(claims(its), expected);
  }
}

TEST(pace, learns_how_many_are_worth_a_claim) {
  pace its(10);
  EXPECT_EQ(claims(its), 256U);
  run(its, 100);
  EXPECT_EQ(its.step(), 51U);
  run(its, 1);
  EXPECT_EQ(its.step(), 5001U);
}

TEST(pace, looks_more_often_at_what_takes_long) {
  pace its(10);
  for (int i = 0; i < 8; ++i) run(its, 100'000'000);
  EXPECT_EQ(its.step(), 1U);
  EXPECT_EQ(claims(its), 1U) << "so who stops the loop waits for an iteration";
  for (int i = 0; i < 8; ++i) run(its, 100);
  EXPECT_EQ(claims(its), 256U);
  EXPECT_EQ(its.step(), 51U);
}

TEST(pace, claims_what_was_asked_for) {
  pace its(7, true);
  for (const std::uint64_t ticks : {1ULL, 100ULL, 100'000'000ULL}) {
    for (int i = 0; i < 8; ++i) run(its, ticks);
    EXPECT_EQ(its.step(), 7U);
  }
  EXPECT_EQ(claims(its), 1U);
}

TEST(pace, learns_nothing_from_the_end_of_a_range) {
  pace its(10);
  its.begin(0);
  its.ran(2559, 1);
  EXPECT_EQ(its.step(), 10U);
  EXPECT_EQ(claims(its), 256U);
}

TEST(pace, of_a_large_step_ends_in_bounds) {
  const pace its(pace::most_in_one_claim, true);
  EXPECT_EQ(its.until(5), 5 + pace::most_in_one_claim);
}

}  // namespace
}  // namespace steelyard::loop
