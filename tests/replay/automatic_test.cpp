// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <vector>

#include "simulator/selection/loops.hpp"

/// What `automatic` loses against the best schedule of the whole catalogue, known behind the loop: it sees chunk times of the instances
/// that it has observed, with noise and in whole ticks, and is judged on instances whose costs are others each time.
namespace steelyard::simulator::selection {
namespace {

constexpr int settled = 6;  ///< instances that are not judged

/// In a program that has run for a while.
conditions paid() {
  conditions all;
  all.pays_for_forecasts = false;
  return all;
}

class automatic_regret : public ::testing::TestWithParam<std::uint32_t> {};

TEST_P(automatic_regret, is_small_against_the_best_of_the_catalogue) {
  const auto members = GetParam();
  const std::size_t n = members <= 128 ? 1 << 18 : 1 << 19;
  const int instances = members <= 128 ? 8 : 7;  // these take the longest
  std::vector<double> regrets;
  for (const auto& loop : steady_loops()) {
    const auto automatic = make("automatic", paid());
    repeated_loop run(*automatic, paid());
    std::vector<std::vector<double>> judged;
    double time = 0;
    for (int i = 0; i < instances; ++i) {
      const auto number = static_cast<std::uint64_t>(i);
      const auto sums = loop.sums(n, members, number);
      const auto took = run.run(sums, members, number + 1);
      if (i == settled - 1) {
        EXPECT_TRUE(automatic->is_settled()) << loop.name;
      }
      if (i < settled) continue;
      time += took;
      judged.push_back(sums);
    }
    const auto best = best_of_catalogue(judged, members, {});
    regrets.push_back(time / best.time - 1);
    std::printf("%5u %-12s %+.4f  best %-14s  %s\n", members, loop.name.c_str(), regrets.back(), best.name.c_str(),
                automatic->why().c_str());
    EXPECT_LE(regrets.back(), 0.10) << loop.name;
  }
  std::sort(regrets.begin(), regrets.end());
  EXPECT_LE(regrets[regrets.size() / 2], 0.03);
}

/// Costs of one kind and another in turn, ten instances each: against the best of each kind. What the first change costs nobody can foresee.
TEST_P(automatic_regret, is_small_where_phases_change) {
  constexpr std::uint64_t phase = 10;
  constexpr std::uint64_t instances = 200;
  const auto members = GetParam();
  if (members > 128) GTEST_SKIP() << "it takes minutes";
  const std::size_t n = std::size_t{2048} * members;
  for (const auto& loop : loops_with_phases(phase)) {
    std::vector<std::vector<double>> all;
    for (std::uint64_t i = 0; i < 2 * phase; ++i) all.push_back(loop.sums(n, members, i));
    const std::span<const std::vector<double>> both(all);
    const auto automatic = make("automatic", paid());
    repeated_loop run(*automatic, paid());
    double time = 0;
    for (std::uint64_t i = 0; i < instances; ++i) {
      const auto took = run.run(all[i % all.size()], members, i + 1);
      if (i >= all.size()) time += took;
    }
    const auto least =
        best_of_catalogue(both.first(2), members, {}).time + best_of_catalogue(both.last(2), members, {}).time;
    const auto regret = time / (least / 4 * static_cast<double>(instances - all.size())) - 1;
    std::printf("%5u %-25s %+.4f\n", members, loop.name.c_str(), regret);
    EXPECT_LE(regret, 0.10) << loop.name;
  }
}

/// No way suits the next instance because it has suited the last: against the one that takes the least over all of them.
TEST_P(automatic_regret, is_small_where_each_instance_is_another) {
  constexpr std::uint64_t levels = 8;
  constexpr std::uint64_t instances = 50 * levels;
  const auto members = GetParam();
  if (members > 128) GTEST_SKIP() << "it takes minutes";
  const auto loop = levels_of_a_search();
  std::vector<std::vector<double>> all;
  for (std::uint64_t i = 0; i < levels; ++i) all.push_back(loop.sums(std::size_t{2048} * members, members, i));
  const auto automatic = make("automatic", paid());
  repeated_loop run(*automatic, paid());
  double time = 0;
  for (std::uint64_t i = 0; i < instances; ++i) {
    const auto took = run.run(all[i % levels], members, i + 1);
    if (i >= instances / 2) time += took;
  }
  const auto best = best_of_catalogue(all, members, {});
  const auto regret = time / (best.time * instances / 2 / levels) - 1;
  std::printf("%5u %-25s %+.4f  best %-14s  %s\n", members, loop.name.c_str(), regret, best.name.c_str(),
              automatic->why().c_str());
  EXPECT_LE(regret, 0.03);
}

INSTANTIATE_TEST_SUITE_P(members, automatic_regret, ::testing::Values(8, 32, 128, 1024));

}  // namespace
}  // namespace steelyard::simulator::selection
