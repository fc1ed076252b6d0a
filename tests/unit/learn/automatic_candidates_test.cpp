// SPDX-License-Identifier: Apache-2.0
// `automatic` where the user has named the schedules to choose among.
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <string_view>

#include "automatic_loop.hpp"
#include "schedules/registry.hpp"

namespace steelyard::learn {
namespace {

schedules::candidates named(std::string_view text) {
  schedules::candidates found;
  EXPECT_TRUE(schedules::candidates::parse(text, found)) << text;
  return found;
}

/// What runs that is not observed, in so many instances.
std::set<std::string> ways_of(loop& it, int instances) {
  std::set<std::string> found;
  for (int i = 0; i < instances; ++i) {
    if (const auto plan = it.run(); !plan.observed) found.emplace(name_of(plan));
  }
  return found;
}

using names = std::set<std::string>;

TEST(automatic_candidates, are_all_that_runs_once_they_are_foretold) {
  loop it;
  it.chooser.choose_among(named("guided+factoring"));
  EXPECT_EQ(name_of(it.run()), "steal") << "which is observed";
  const auto found = ways_of(it, 50);
  EXPECT_FALSE(found.empty());
  for (const auto& name : found) EXPECT_TRUE(name == "guided" || name == "factoring") << name;
  EXPECT_TRUE(it.chooser.is_settled());
}

TEST(automatic_candidates, stay_where_steal_would_be_better) {
  loop it(
      [](const auto& how) {
        return std::string_view(how.schedule->about.name) == "steal" ? work / members : work / members * 2;
      },
      10);
  it.chooser.choose_among(named("wsri"));
  it.run();
  EXPECT_EQ(ways_of(it, 200), names{"wsri"});
  EXPECT_EQ(words_of(it.chooser).find("steal"), std::string::npos) << words_of(it.chooser);
}

TEST(automatic_candidates, are_told_without_figures_before_there_are_any) {
  loop it;
  it.chooser.choose_among(named("wsri"));
  it.forecasts_at = 2;
  it.run();
  EXPECT_EQ(words_of(it.chooser), "iterations cost about the same everywhere: steal, which is being tried");
}

TEST(automatic_candidates, may_be_steal_too) {
  loop it(steal_is_slow, dear_call);
  it.chooser.choose_among(named("steal"));
  EXPECT_EQ(ways_of(it, 50), names{"steal"});
  EXPECT_TRUE(it.chooser.is_settled());
}

TEST(automatic_candidates, may_be_learnt_shares) {
  loop it;
  it.chooser.choose_among(named("nustatic"));
  it.run();
  const auto plan = it.run();
  EXPECT_EQ(name_of(plan), "nustatic");
  EXPECT_TRUE(plan.how.by_shares);
}

TEST(automatic_candidates, have_the_chunks_of_dynamic) {
  loop it([](const auto& how) { return work / members + (how.chunk == iterations / members / 64 ? 0 : 100'000); }, 10);
  it.chooser.choose_among(named("dynamic"));
  for (int i = 0; i < 10; ++i) it.run();
  EXPECT_EQ(std::string_view(it.chooser.chosen().schedule->about.name), "dynamic");
  EXPECT_EQ(it.chooser.chosen().chunk, iterations / members / 64);
}

/// It asks its members to wait for each other, so no forecast of it is made.
TEST(automatic_candidates, are_tried_that_cannot_be_foretold) {
  loop it;
  it.chooser.choose_among(named("adaptive"));
  it.run();
  EXPECT_EQ(ways_of(it, 20), names{"adaptive"});
  EXPECT_TRUE(it.chooser.is_settled());
}

TEST(automatic_candidates, fit_in_where_as_many_are_named_as_may_be) {
  loop it;
  const auto all = named("guided+factoring+trapezoid+wsri+fac+tfss+fiss+viss+rand+dynamic+steal+nustatic");
  it.chooser.choose_among(all);
  for (int i = 0; i < 10; ++i) it.run();
  EXPECT_TRUE(it.chooser.is_settled());
}

TEST(automatic_candidates, begin_anew_when_they_change) {
  loop it;
  for (int i = 0; i < 10; ++i) it.run();
  EXPECT_TRUE(it.chooser.is_settled());
  const auto guided = named("guided");
  it.chooser.choose_among(guided);
  EXPECT_FALSE(it.chooser.is_settled());
  EXPECT_FALSE(it.chooser.is_for(iterations, members));
  for (int i = 0; i < 10; ++i) {
    it.chooser.choose_among(guided);
    it.run();
  }
  EXPECT_TRUE(it.chooser.is_settled());
  EXPECT_EQ(std::string_view(it.chooser.chosen().schedule->about.name), "guided");
}

/// A process that may choose among all would take it for the best of all.
TEST(automatic_candidates, teach_nobody_and_learn_only_what_is_named) {
  loop free(steal_is_slow, dear_call);
  for (int i = 0; i < 10; ++i) free.run();
  lesson found;
  ASSERT_TRUE(free.chooser.teach(found));
  loop it(steal_is_slow, dear_call);
  it.chooser.choose_among(named("guided"));
  EXPECT_FALSE(it.chooser.learn(found)) << "it is by static";
  auto by_steal = found;
  by_steal.how = {schedules::find("steal"), 0, members, false};
  EXPECT_FALSE(it.chooser.learn(by_steal)) << "which is not named";
  for (int i = 0; i < 10; ++i) it.run();
  EXPECT_TRUE(it.chooser.is_settled());
  EXPECT_FALSE(it.chooser.teach(found));
  loop other(steal_is_slow, dear_call);
  other.chooser.choose_among(named("guided+static"));
  EXPECT_TRUE(other.chooser.learn(found));
  EXPECT_EQ(name_of(other.run()), "static");
}

}  // namespace
}  // namespace steelyard::learn
