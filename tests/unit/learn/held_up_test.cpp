// SPDX-License-Identifier: Apache-2.0
// Short loops under `automatic`, of which something holds up one: an interrupt, another program on its core.
#include <gtest/gtest.h>

#include "automatic_loop.hpp"

namespace steelyard::learn {
namespace {

constexpr std::uint64_t parts = 100;  // of `work`: an instance takes 10,000 ticks

struct short_loop : loop {
  short_loop() : loop([](const auto&) { return work / members / parts; }, 10) {
    cost = [](double) { return 1.0 / parts; };
  }
};

int observed_in(loop& it, int instances) {
  int observed = 0;
  for (int i = 0; i < instances; ++i) observed += it.run().observed ? 1 : 0;
  return observed;
}

void settle(loop& it) {
  observed_in(it, 1000);
  ASSERT_TRUE(it.chooser.is_settled());
  ASSERT_EQ(it.forecasts, 1);
}

TEST(held_up, by_as_much_as_thirty_instances_take_no_loop_is_another_phase) {
  short_loop undisturbed;
  settle(undisturbed);
  short_loop it;
  settle(it);
  const auto usual = it.takes;
  int observed = 0;
  for (int i = 0; i < 20; ++i) {
    it.takes = [](const auto&) { return 30 * work / members / parts; };
    observed += it.run().observed ? 1 : 0;
    it.takes = usual;
    observed += observed_in(it, 99);
  }
  EXPECT_EQ(observed, observed_in(undisturbed, 2000));
  EXPECT_EQ(it.forecasts, 1);
}

TEST(held_up, while_it_is_observed_a_loop_is_observed_once_more) {
  short_loop it;
  settle(it);
  const auto before = it.chooser.chosen();
  const auto usual = it.cost;
  it.cost = [](double at) { return (at < 0.5 ? 1.5 : 0.5) / parts; };
  int instances = 0;
  while (!it.run().observed) ASSERT_LT(++instances, 5000) << "it is observed now and then";
  it.cost = usual;
  EXPECT_TRUE(it.run().observed);
  EXPECT_FALSE(it.run().observed);
  EXPECT_EQ(it.forecasts, 1);
  EXPECT_TRUE(it.chooser.is_settled());
  EXPECT_EQ(it.chooser.chosen(), before);
}

TEST(held_up, is_no_loop_whose_costs_lie_elsewhere_twice) {
  short_loop it;
  settle(it);
  it.cost = [](double at) { return (at < 0.5 ? 1.5 : 0.5) / parts; };
  int instances = 0;
  while (!it.run().observed) ASSERT_LT(++instances, 5000) << "it is observed now and then";
  EXPECT_EQ(it.forecasts, 1);
  EXPECT_TRUE(it.run().observed);
  EXPECT_EQ(it.forecasts, 2);
}

}  // namespace
}  // namespace steelyard::learn
