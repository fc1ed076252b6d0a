// SPDX-License-Identifier: Apache-2.0
#include "present/explanations.hpp"

#include <algorithm>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "schedules/registry.hpp"

namespace steelyard::tool {
namespace {

TEST(explanations, tell_of_every_schedule_once) {
  std::multiset<std::string> told;
  std::multiset<std::string> there;
  for (const auto& each : explanations()) told.emplace(each.schedule);
  for (const auto& row : schedules::all()) there.emplace(row.about.name);
  EXPECT_EQ(told, there);
}

TEST(explanations, leave_nothing_out) {
  for (const auto& each : explanations()) {
    EXPECT_FALSE(each.formula.empty() || each.source.empty() || each.when.empty()) << each.schedule;
    EXPECT_EQ(explanation_of(each.schedule), &each);
    const auto its = [&](const family& one) { return one.name == each.family; };
    EXPECT_TRUE(std::any_of(families().begin(), families().end(), its)) << each.schedule;
  }
  EXPECT_EQ(explanation_of("no"), nullptr);
}

TEST(explanations, have_no_family_without_members) {
  for (const auto& one : families()) {
    const auto in = [&](const explanation& each) { return each.family == one.name; };
    EXPECT_TRUE(std::any_of(explanations().begin(), explanations().end(), in)) << one.name;
  }
}

}  // namespace
}  // namespace steelyard::tool
