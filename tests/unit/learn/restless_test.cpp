// SPDX-License-Identifier: Apache-2.0
// Loops each few instances of which are of another phase, under `automatic`: in made-up time.
#include <gtest/gtest.h>

#include <cstdint>
#include <string_view>

#include "automatic_loop.hpp"

namespace steelyard::learn {
namespace {

constexpr std::uint32_t kinds = 4;

/// One that has other costs in each instance: each kind is dear in a quarter of its own.
struct levels : loop {
  std::uint64_t instance = 0;
  bool changes = true;
  std::uint64_t times = 1;

  levels() {
    takes = [this](const automatic::way& how) { return by(how); };
  }
  automatic::plan run() {
    const auto kind = changes ? instance * 7 / 3 % kinds : 0;
    ++instance;
    cost = [kind](double place) { return static_cast<std::uint32_t>(place * kinds) == kind ? 3.1 : 0.3; };
    factor = changes ? 1.0 + static_cast<double>(kind) : 1;
    return loop::run();
  }
  int observed_of(int instances) {
    int observed = 0;
    for (int i = 0; i < instances; ++i) observed += run().observed ? 1 : 0;
    return observed;
  }
  /// Shares of the last instance suit no other one; equal blocks suit none.
  [[nodiscard]] std::uint64_t by(const automatic::way& how) const {
    const auto limit = work / members * times;
    if (how.by_shares) return changes ? 3 * limit : limit;
    return std::string_view(how.schedule->about.name) == "static" ? 3 * limit : limit * 21 / 20;
  }
};

TEST(restless, stays_with_what_serves_all_phases) {
  levels of;
  for (int i = 0; i < 200; ++i) of.run();
  EXPECT_TRUE(of.chooser.is_settled());
  int others = 0;
  for (int i = 0; i < 400; ++i) others += name_of(of.run()) == "steal" ? 0 : 1;
  EXPECT_EQ(others, 0) << words_of(of.chooser);
}

TEST(restless, is_seldom_observed) {
  levels of;
  for (int i = 0; i < 1'500; ++i) of.run();
  const auto observed = of.observed_of(1'000);
  EXPECT_GT(observed, 0);
  EXPECT_LE(observed, 1'000 / 64);
}

TEST(restless, has_only_what_may_be_chosen) {
  for (const char* const names : {"nustatic", "nustatic+guided", "trapezoid"}) {
    levels of;
    schedules::candidates only;
    ASSERT_TRUE(schedules::candidates::parse(names, only));
    of.chooser.choose_among(only);
    for (int i = 0; i < 300; ++i) of.run();
    for (int i = 0; i < 300; ++i) {
      const auto plan = of.run();
      EXPECT_TRUE(plan.observed || only.has(*plan.how.schedule)) << names << ": " << name_of(plan);
    }
  }
}

TEST(restless, becomes_calm) {
  for (const int before : {200, 5'000}) {
    levels of;
    for (int i = 0; i < before; ++i) of.run();
    of.changes = false;
    for (int i = 0; i < 3'000; ++i) of.run();
    EXPECT_TRUE(of.run().how.by_shares) << before << words_of(of.chooser);
  }
}

/// Whose thread is kept from its core now and then, for three times as long as the loop takes.
TEST(restless, is_no_loop_that_is_disturbed) {
  levels of;
  of.changes = false;
  int others = 0;
  for (int i = 0; i < 20'000; ++i) {
    of.times = i % 1'000 == 999 ? 3 : 1;
    const auto plan = of.run();
    others += i < 2'000 || plan.observed || name_of(plan) == "nustatic" ? 0 : 1;
  }
  EXPECT_EQ(others, 0) << words_of(of.chooser);
}

/// What is the best in phases that last is found anew each time.
TEST(restless, is_no_loop_whose_phases_last) {
  loop of;
  for (std::uint64_t phase = 0; phase < 8; ++phase) {
    const bool stealing_is_best = phase % 2 != 0;
    const auto is_best = [=](std::string_view name) { return name.starts_with("steal") == stealing_is_best; };
    const auto dear = phase % kinds;
    of.takes = [=](const automatic::way& how) {
      return work / members * (is_best(how.schedule->about.name) ? 20 : 30) / 20;
    };
    of.cost = [dear](double place) { return static_cast<std::uint32_t>(place * kinds) == dear ? 3.1 : 0.3; };
    of.factor = 1.0 + static_cast<double>(phase);
    for (int i = 0; i < 50; ++i) of.run();
    EXPECT_TRUE(is_best(name_of(of.run()))) << phase << words_of(of.chooser);
  }
}

}  // namespace
}  // namespace steelyard::learn
