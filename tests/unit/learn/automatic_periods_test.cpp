// SPDX-License-Identifier: Apache-2.0
// What a loop's way does to what follows it.
#include <gtest/gtest.h>

#include <functional>

#include "automatic_loop.hpp"

namespace steelyard::learn {
namespace {

bool is_front(const automatic::way& how) { return std::string_view(how.schedule->about.name) == "trapezoid"; }

constexpr std::uint64_t long_work = 40'000'000;  // one instance tells enough

/// A program that runs the loop, and then something that depends on how the loop ran.
struct program {
  loop of;
  std::function<std::uint64_t(const automatic::way&)> rest;
  std::uint64_t now = 1000;

  explicit program(std::function<std::uint64_t(const automatic::way&)> behind) : rest(std::move(behind)) {
    of.factor = long_work / work;
  }

  automatic::way run() {
    const auto plan = of.run(iterations, now);
    now += of.last_ticks + rest(plan.how);
    return plan.how;
  }
  /// Of so many instances those that ran as one front.
  int fronts(int instances) {
    int found = 0;
    for (int i = 0; i < instances; ++i) found += is_front(run()) ? 1 : 0;
    return found;
  }
};

/// The next process begins with what this one has found.
void hand_on(const program& from, program& to) {
  lesson found;
  ASSERT_TRUE(from.of.chooser.teach(found));
  ASSERT_TRUE(to.of.chooser.learn(found));
}

constexpr std::uint64_t usual_rest = 8'000'000;

TEST(automatic_periods, stays_by_what_makes_the_rest_shorter) {
  program it([](const auto& how) { return is_front(how) ? usual_rest / 2 : usual_rest; });
  it.fronts(12);
  EXPECT_EQ(it.fronts(10), 10) << words_of(it.of.chooser);
}

TEST(automatic_periods, tries_twice_where_nothing_is_gained) {
  for (const std::uint64_t percent : {98, 100, 120}) {
    program it([=](const auto& how) { return is_front(how) ? usual_rest * percent / 100 : usual_rest; });
    EXPECT_EQ(it.fronts(60), 2) << percent;
  }
}

TEST(automatic_periods, tries_nothing_where_little_follows_or_very_much) {
  constexpr auto own = long_work / members;
  for (const std::uint64_t rest : {own / 10, 5 * own}) {
    program it([=](const auto& how) { return is_front(how) ? rest / 2 : rest; });
    EXPECT_EQ(it.fronts(60), 0) << rest;
  }
}

TEST(automatic_periods, tries_nothing_where_no_clock_is_read) {
  loop it;
  it.factor = long_work / work;
  for (int i = 0; i < 60; ++i) EXPECT_FALSE(is_front(it.run().how)) << i;
}

/// It takes longer by more than a 32nd: what it may gain is not looked at.
TEST(automatic_periods, tries_nothing_that_costs_much) {
  program it([](const auto& how) { return is_front(how) ? 0 : usual_rest; });
  it.of.hand_over = 100'000;
  EXPECT_EQ(it.fronts(60), 0) << words_of(it.of.chooser);
}

/// What one process has found serves the next one from its first instance on, and that one teaches it, too.
TEST(automatic_periods, teaches_what_it_has_found) {
  program it([](const auto& how) { return is_front(how) ? usual_rest / 2 : usual_rest; });
  it.fronts(12);
  program next(it.rest);
  ASSERT_NO_FATAL_FAILURE(hand_on(it, next));
  EXPECT_EQ(next.fronts(20), 20);
}

/// A process that has too few instances leaves it to the next one, whose ways are not foretold. Where the first chunk of a front is dear, nothing is tried.
TEST(automatic_periods, are_compared_by_a_process_that_begins_with_a_lesson) {
  for (const double first : {1.0, 3.0}) {
    program it([](const auto& how) { return is_front(how) ? usual_rest / 2 : usual_rest; });
    it.of.cost = [=](double place) { return place < 0.125 ? first : (8 - first) / 7; };
    it.fronts(4);
    program next(it.rest);
    ASSERT_NO_FATAL_FAILURE(hand_on(it, next));
    EXPECT_EQ(next.fronts(2), 0);
    next.fronts(8);
    EXPECT_EQ(next.fronts(10), first == 1 ? 10 : 0) << words_of(next.of.chooser);
    lesson better;
    EXPECT_EQ(next.of.chooser.teach(better), first == 1) << "the next process begins with it";
  }
}

TEST(automatic_periods, comes_back_where_the_loop_itself_takes_longer_than_is_gained) {
  program it([](const auto& how) { return is_front(how) ? usual_rest / 2 : usual_rest; });
  it.of.takes = [](const auto& how) { return is_front(how) ? work / members * 2 : work / members; };
  it.fronts(12);
  EXPECT_EQ(it.fronts(40), 0) << words_of(it.of.chooser);
}

}  // namespace
}  // namespace steelyard::learn
