// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "cost/distributions.hpp"
#include "cost/limit.hpp"
#include "schedules/loop_record.hpp"
#include "simulator/replay.hpp"

/// Schedules that go by what chunks take, in virtual time: what they learn is what is true there.
namespace steelyard::simulator {
namespace {

using schedules::loop_record;

setup instance_of(const std::vector<double>& sums, std::uint32_t members, loop_record& record, double call = 0) {
  setup given;
  given.loop = {sums.size() - 1, members, 0, 1};
  given.sums = sums;
  given.cost.call = call;
  given.record = &record;
  return given;
}

double mean_of(const std::vector<double>& costs) {
  return std::accumulate(costs.begin(), costs.end(), 0.0) / static_cast<double>(costs.size());
}

double deviation_of(const std::vector<double>& costs) {
  const auto mean = mean_of(costs);
  double squares = 0;
  for (const double cost : costs) squares += (cost - mean) * (cost - mean);
  return std::sqrt(squares / static_cast<double>(costs.size()));
}

TEST(feedback, tells_the_times_of_iterations_and_of_fetching) {
  const auto costs = cost::idws::random(100'000);
  const auto sums = cost::prefix_sums(costs);
  for (const char* name : {"fsc", "fac", "tap", "af", "bold", "pls"}) {
    loop_record record;
    const auto given = instance_of(sums, 8, record, 3);
    static_cast<void>(replay(*find(name), given));
    EXPECT_NEAR(record.mean / setup::ticks, mean_of(costs), 1e-3) << name;
    EXPECT_NEAR(record.deviation / setup::ticks, deviation_of(costs), 0.35 * deviation_of(costs)) << name;
    EXPECT_NEAR(record.hand_over / setup::ticks, 3, 1e-3) << name;
    EXPECT_EQ(record.instances, 1U);
  }
}

/// In the second instance nothing varies any more, as far as is known: one chunk for each member.
TEST(feedback, changes_the_next_instance) {
  const auto sums = cost::prefix_sums(std::vector<double>(10'000, 2.0));
  loop_record record;
  const auto given = instance_of(sums, 4, record, 1);
  const auto first = replay(*find("fac"), given);
  EXPECT_GT(first.chunks, 20U);
  const auto second = replay(*find("fac"), given);
  EXPECT_EQ(second.chunks, 4U);
  EXPECT_EQ(second.makespan, 10'000 * 2.0 / 4 + 2);
}

TEST(feedback, of_an_instance_that_is_not_due_is_left_out) {
  const auto sums = cost::prefix_sums(std::vector<double>(1000, 2.0));
  loop_record record;
  record.instances = 3;
  const auto given = instance_of(sums, 4, record);
  static_cast<void>(replay(*find("fac"), given));
  EXPECT_EQ(record.mean, 0);
  static_cast<void>(replay(*find("fac"), given));
  EXPECT_EQ(record.mean, 2 * setup::ticks) << "the fifth is due";
}

TEST(feedback, is_none_where_the_schedule_wants_none) {
  const auto sums = cost::prefix_sums(std::vector<double>(1000, 2.0));
  for (const auto& row : all()) {
    if (row.feedback != nullptr) continue;
    loop_record record;
    const auto given = instance_of(sums, 4, record);
    static_cast<void>(replay(row, given));
    EXPECT_EQ(record.mean, 0) << row.about.name;
  }
}

}  // namespace
}  // namespace steelyard::simulator
