// SPDX-License-Identifier: Apache-2.0
#include "learn/period_trial.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <set>
#include <string>

namespace steelyard::learn {
namespace {

constexpr std::uint64_t took = 1000;

/// The period of an instance, by whether it ran the other way and by its number.
using periods = std::function<std::uint64_t(bool, int)>;

period_trial tried(std::uint64_t dice, const periods& of) {
  period_trial it;
  EXPECT_FALSE(it.runs());
  EXPECT_FALSE(it.is_others_turn());
  it.begin(of(false, 0), took, dice);
  for (int i = 1; i < 4; ++i) {
    EXPECT_TRUE(it.runs()) << i;
    const bool others = it.is_others_turn();
    EXPECT_EQ(it.add(of(others, i), took + (others ? 20 : 0)), i == 3);
  }
  EXPECT_FALSE(it.runs());
  EXPECT_FALSE(it.is_others_turn());
  return it;
}

TEST(period_trial, has_two_of_each_in_two_orders) {
  std::set<std::string> orders;
  for (std::uint64_t dice = 0; dice < 8; ++dice) {
    std::string order;
    tried(dice, [&](bool others, int) {
      order += others ? 'o' : 'u';
      return 2000;
    });
    orders.insert(order);
  }
  EXPECT_EQ(orders, (std::set<std::string>{"uouo", "uoou"}));
}

TEST(period_trial, tells_by_how_much_less_follows_the_other_way) {
  for (std::uint64_t dice = 0; dice < 4; ++dice) {
    const auto it = tried(dice, [](bool others, int) { return others ? 1800 : 2000; });
    EXPECT_EQ(it.saves(), 220U) << "its own time is no part of that";
    EXPECT_EQ(it.took(), took + 20);
  }
}

TEST(period_trial, finds_nothing_where_periods_are_about_the_same) {
  for (std::uint64_t dice = 0; dice < 4; ++dice) {
    EXPECT_EQ(tried(dice, [](bool, int) { return 2000; }).saves(), 0U);
    EXPECT_EQ(tried(dice, [](bool others, int) { return others ? 1940 : 2000; }).saves(), 0U);
    EXPECT_EQ(tried(dice, [](bool others, int) { return others ? 2200 : 2000; }).saves(), 0U);
  }
}

TEST(period_trial, is_not_misled_by_one_that_was_held_up_or_by_what_only_grows_or_shrinks) {
  for (std::uint64_t dice = 0; dice < 4; ++dice) {
    for (int held_up = 0; held_up < 4; ++held_up) {
      const auto by_chance = tried(dice, [=](bool, int i) { return i == held_up ? 5000 : 2000; });
      EXPECT_EQ(by_chance.saves(), 0U) << dice << " " << held_up;
    }
    EXPECT_EQ(tried(dice, [](bool, int i) { return 2000 + 200 * i; }).saves(), 0U);
    EXPECT_EQ(tried(dice, [](bool, int i) { return 2000 - 200 * i; }).saves(), 0U);
  }
}

/// An instance that follows another way than its own takes longer, and what follows as well.
TEST(period_trial, is_not_misled_by_data_that_is_elsewhere) {
  for (std::uint64_t dice = 0; dice < 3; ++dice) {
    bool before = false;  // of the instance before the first one, too
    const auto it = tried(dice, [&](bool others, int) {
      const bool is_elsewhere = others != before;
      before = others;
      return (is_elsewhere ? 2400 : 2000) + (others ? 0 : 10);
    });
    EXPECT_EQ(it.saves(), 0U) << dice;
  }
}

/// The loop that gains in its own time is found by that.
TEST(period_trial, leaves_to_others_what_the_loop_gains_itself) {
  period_trial it;
  it.begin(2000, 1000, 0);
  for (bool is_over = false; !is_over;) {
    const std::uint64_t own = it.is_others_turn() ? 500 : 1000;
    is_over = it.add(own + 1000, own);
  }
  EXPECT_EQ(it.saves(), 0U);
}

TEST(period_trial, says_nothing_when_it_was_stopped) {
  period_trial it;
  it.begin(1, 1, 1);
  it.add(1, 1);
  it.stop();
  EXPECT_FALSE(it.runs());
}

}  // namespace
}  // namespace steelyard::learn
