// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "simulator/selection/loops.hpp"
#include "simulator/selection/portfolio.hpp"

/// Methods of the literature do as their papers say, by made-up times; and ours loses less than each.
namespace steelyard::simulator::selection {
namespace {

std::string name_of(const way& how) { return how.schedule->about.name; }

/// What an instance of a way takes, in seconds, and its imbalance in percent.
using times = std::function<std::pair<double, double>(const way&)>;

/// So many instances by a method of that name. The ways.
class history {
 public:
  history(const std::string& name, times of) : by_(make(name, {})), of_(std::move(of)) {}
  std::vector<way> run(int instances) {
    std::vector<way> ways;
    for (int i = 0; i < instances; ++i) {
      ways.push_back(by_->next(10'000, 8));
      measured it;
      std::tie(it.seconds, it.imbalance) = of_(ways.back());
      by_->took(it);
    }
    return ways;
  }
  [[nodiscard]] const method& by() const { return *by_; }
  void change(times to) { of_ = std::move(to); }

 private:
  std::unique_ptr<method> by_;
  times of_;
};

std::pair<double, double> tss_is_best(const way& how) { return {name_of(how) == "trapezoid" ? 1.0 : 1.5, 5}; }

TEST(selection, has_a_method_of_each_name) {
  for (const auto name : names()) EXPECT_NE(make(name, {}), nullptr) << name;
  EXPECT_EQ(make("", {}), nullptr);
}

TEST(selection, portfolio_is_of_the_catalogue) {
  std::set<const schedules::operations*> all;
  for (std::uint32_t which = 0; which < portfolio.size(); ++which) {
    const auto how = of_portfolio(which, 8);
    ASSERT_NE(how.schedule, nullptr) << portfolio[which];
    all.insert(how.schedule);
  }
  EXPECT_EQ(all.size(), portfolio.size());
}

TEST(selection, exhaustive_tries_each_technique_once_and_keeps_the_fastest) {
  history its("exhaustive", tss_is_best);
  const auto ways = its.run(30);
  for (std::size_t i = 0; i < portfolio.size(); ++i) EXPECT_EQ(name_of(ways[i]), portfolio[i]);
  for (std::size_t i = portfolio.size(); i < ways.size(); ++i) EXPECT_EQ(name_of(ways[i]), "trapezoid");
  EXPECT_TRUE(its.by().is_settled());
}

TEST(selection, exhaustive_searches_again_when_the_imbalance_grows) {
  history its("exhaustive", tss_is_best);
  its.run(20);
  its.change([](const way& how) { return std::pair(name_of(how) == "guided" ? 2.0 : 3.0, 20.0); });
  EXPECT_EQ(name_of(its.run(1)[0]), "trapezoid") << "which shows it";
  EXPECT_EQ(name_of(its.run(20).back()), "guided");
}

TEST(selection, random_jumps_by_the_imbalance) {
  history even("random", [](const way&) { return std::pair(1.0, 0.0); });
  history uneven("random", [](const way&) { return std::pair(1.0, 10.0); });
  const auto different = [](const std::vector<way>& ways) {
    std::set<std::string> found;
    for (const auto& each : ways) found.insert(name_of(each));
    return found.size();
  };
  EXPECT_EQ(different(even.run(200)), 1U);
  EXPECT_EQ(different(uneven.run(200)), portfolio.size());
}

TEST(selection, expert_begins_with_equal_shares_and_keeps_them_where_they_are_even) {
  history its("expert", [](const way&) { return std::pair(1.0, 0.5); });
  for (const auto& each : its.run(20)) EXPECT_EQ(name_of(each), "static");
}

TEST(selection, expert_takes_what_adapts_most_where_loops_are_long_and_uneven) {
  history its("expert", [](const way&) { return std::pair(20.0, 40.0); });
  EXPECT_EQ(name_of(its.run(2)[1]), "maf");
}

TEST(selection, expert_turns_back_where_loops_are_short) {
  history its("expert", [n = 0](const way&) mutable { return n++ == 0 ? std::pair(5.0, 8.0) : std::pair(0.001, 8.0); });
  const auto ways = its.run(10);
  EXPECT_NE(name_of(ways[1]), "static");
  EXPECT_EQ(name_of(ways.back()), "static");
}

class learners : public ::testing::TestWithParam<const char*> {};

TEST_P(learners, try_each_technique_behind_each_other_and_then_keep_the_best) {
  constexpr auto pairs = portfolio.size() * portfolio.size();
  history its(GetParam(), tss_is_best);
  std::map<std::string, int> often;
  for (const auto& each : its.run(pairs)) ++often[name_of(each)];
  EXPECT_EQ(often.size(), portfolio.size());
  for (int rest = 0; rest < 40 && !its.by().is_settled(); ++rest) its.run(1);
  EXPECT_TRUE(its.by().is_settled());
  const auto later = its.run(200);
  const auto best =
      std::count_if(later.begin(), later.end(), [](const way& how) { return name_of(how) == "trapezoid"; });
  EXPECT_GE(best, 150);
}

INSTANTIATE_TEST_SUITE_P(both, learners, ::testing::Values("q-learning", "sarsa"));

TEST(selection, bo_fss_comes_near_the_best_parameter) {
  const auto best_at_8 = [](const way& how) {
    const auto off = std::log2(how.variation) - 3;  // θ = 8 is best
    return std::pair(1 + off * off / 100, 0.0);
  };
  history its("bo-fss", best_at_8);
  const auto ways = its.run(40);
  EXPECT_TRUE(its.by().is_settled());
  EXPECT_NEAR(std::log2(ways.back().variation), 3, 1);
  std::set<double> tried;
  for (const auto& each : ways) tried.insert(each.variation);
  EXPECT_GE(tried.size(), 6U);
}

/// Over all loops, of one kind of costs and of two in turn: in the beginning and later.
TEST(selection, automatic_loses_less_than_each_other_method) {
  constexpr std::uint32_t members = 8;
  constexpr std::size_t n = 2048 * members;
  constexpr std::uint64_t first = 20;
  constexpr std::uint64_t instances = 80;
  for (const std::uint64_t phase : {0U, 10U}) {
    std::map<std::string_view, std::pair<double, double>> took;
    for (const auto& loop : phase == 0 ? steady_loops() : loops_with_phases(phase)) {
      std::vector<std::vector<double>> all;
      for (std::uint64_t i = 0; i < first; ++i) all.push_back(loop.sums(n, members, i));
      for (const auto name : names()) {
        const auto method = make(name, {});
        repeated_loop run(*method, {});
        for (std::uint64_t i = 0; i < instances; ++i) {
          const auto& sums = all[i % all.size()];
          auto& its = took[name];
          (i < first ? its.first : its.second) += run.run(sums, members, i + 1) / (sums.back() / members);
        }
      }
    }
    for (const auto name : names()) {
      if (name == "automatic") continue;
      EXPECT_LT(took["automatic"].first, took[name].first) << name << ", phases of " << phase;
      EXPECT_LT(took["automatic"].second, took[name].second) << name << ", phases of " << phase;
    }
  }
}

}  // namespace
}  // namespace steelyard::simulator::selection
