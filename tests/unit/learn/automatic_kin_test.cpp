// SPDX-License-Identifier: Apache-2.0
// Loops of another trip count at the same place begin with what is known there.
#include <gtest/gtest.h>

#include <cstdint>
#include <string_view>

#include "automatic_loop.hpp"
#include "schedules/registry.hpp"

namespace steelyard::learn {
namespace {

/// One that has settled on nustatic, as stealing is slow.
struct settled : loop {
  settled() : loop(steal_is_slow, dear_call) {
    for (int i = 0; i < 10; ++i) run();
    EXPECT_TRUE(chooser.is_settled());
    EXPECT_EQ(std::string_view(chooser.chosen().schedule->about.name), "nustatic");
  }
};

/// The next one at that place, which has to pay before it is observed.
struct next_of : loop {
  next_of(const loop& before, std::uint64_t n, std::uint32_t of_members = members) : loop(steal_is_slow, dear_call) {
    chooser.pay_first();
    chooser.begin_like(before.chooser, n, of_members);
  }
};

TEST(automatic_kin, begins_with_what_was_found) {
  const settled before;
  for (const std::uint64_t n : {iterations / 4, iterations / 2, iterations * 2, iterations * 4}) {
    next_of it(before, n);
    const auto plan = it.run(n);
    EXPECT_EQ(name_of(plan), "nustatic") << n;
    EXPECT_FALSE(plan.observed);
    EXPECT_EQ(it.forecasts, 0);
    it.run(n);
    EXPECT_TRUE(it.chooser.is_settled()) << n;
  }
}

TEST(automatic_kin, not_where_loops_are_too_unlike) {
  const settled before;
  for (const std::uint64_t n : {iterations / 5, iterations * 5}) {
    next_of it(before, n);
    EXPECT_NE(name_of(it.run(n)), "nustatic") << n;
  }
  next_of of_others(before, iterations / 2, members + 1);
  EXPECT_NE(name_of(of_others.run(iterations / 2)), "nustatic");
  loop named(steal_is_slow, dear_call);
  schedules::candidates only;
  ASSERT_TRUE(schedules::candidates::parse("steal+guided", only));
  named.chooser.choose_among(only);
  named.chooser.begin_like(before.chooser, iterations / 2, members);
  EXPECT_EQ(name_of(named.run(iterations / 2)), "steal");
}

TEST(automatic_kin, not_of_one_of_which_nothing_is_known) {
  loop fresh(steal_is_slow, dear_call);
  next_of it(fresh, iterations);
  EXPECT_EQ(name_of(it.run()), "steal");
  loop waiting(steal_is_slow, dear_call);
  waiting.forecasts_at = 1'000;
  for (int i = 0; i < 3; ++i) waiting.run();
  next_of other(waiting, iterations / 2);
  EXPECT_EQ(name_of(other.run(iterations / 2)), "steal");
}

TEST(automatic_kin, its_own_is_not_given_up) {
  const settled before;
  loop it;
  for (int i = 0; i < 3; ++i) it.run();
  it.chooser.begin_like(before.chooser, iterations, members);
  EXPECT_EQ(name_of(it.run()), "steal");
  EXPECT_EQ(it.chooser.settled_after(), 2U);
}

TEST(automatic_kin, what_disappoints_is_not_taken_over_again) {
  const settled before;
  next_of it(before, iterations / 2);
  it.takes = [](const auto& how) {
    const bool shares = std::string_view(how.schedule->about.name) == "nustatic";
    return work / members * (shares ? 2 : 1);
  };
  EXPECT_EQ(name_of(it.run(iterations / 2)), "nustatic");
  EXPECT_NE(name_of(it.run(iterations / 2)), "nustatic") << "it took twice as long as was expected";
  for (int i = 0; i < 20; ++i) it.run(iterations / 2);
  EXPECT_GT(it.forecasts, 0) << "it was observed itself";
  next_of third(it, iterations / 4);
  EXPECT_NE(name_of(third.run(iterations / 4)), "nustatic");
}

TEST(automatic_kin, chunks_are_as_many_as_there) {
  const auto by_chunks = [](const auto& how) {
    const bool is_best =
        std::string_view(how.schedule->about.name) == "dynamic" && how.chunk == iterations / members / 16;
    return is_best ? work / members / 2 : work / members * 2;
  };
  loop many(by_chunks, 10);
  schedules::candidates only;
  ASSERT_TRUE(schedules::candidates::parse("dynamic", only));
  many.chooser.choose_among(only);
  for (int i = 0; i < 20; ++i) many.run();
  ASSERT_EQ(many.chooser.chosen().chunk, iterations / members / 16);
  loop it(by_chunks, 10);
  it.chooser.choose_among(only);
  it.chooser.begin_like(many.chooser, 2 * iterations, members);
  EXPECT_EQ(it.run(2 * iterations).how.chunk, 2 * iterations / members / 16);
}

/// Its picture is that of others: when it is seen to be right it was no other phase, even where iterations take longer.
TEST(automatic_kin, what_was_taken_over_is_looked_at_once) {
  const settled before;
  next_of it(before, iterations / 2);
  it.factor = 1.2;
  int observed = 0;
  for (int i = 0; i < 200; ++i) observed += it.run(iterations / 2).observed;
  EXPECT_GE(observed, 1);
  EXPECT_EQ(it.forecasts, 0);
  EXPECT_EQ(name_of(it.run(iterations / 2)), "nustatic");
}

}  // namespace
}  // namespace steelyard::learn
