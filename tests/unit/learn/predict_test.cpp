// SPDX-License-Identifier: Apache-2.0
#include "learn/predict.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include "cost/distributions.hpp"
#include "cost/limit.hpp"
#include "learn/cost_profile.hpp"
#include "schedules/registry.hpp"
#include "simulator/replay.hpp"
#include "support/cache_line.hpp"

/// A forecast knows 512 parts of a loop and one deviation; the simulator knows every iteration.
namespace steelyard::learn {
namespace {

constexpr std::uint64_t iterations = 1 << 18;
constexpr double unit = 1000;  ///< ticks of a unit of cost
constexpr std::uint64_t call = 400;

struct aligned {
  void operator()(void* memory) const { ::operator delete (memory, std::align_val_t{support::line_size}); }
};

std::uint64_t predicted(const char* name, const schedules::shape& loop, const loop_costs& known) {
  const auto& row = *schedules::find(name);
  const auto bytes = room_to_predict(row, loop);
  const std::unique_ptr<void, aligned> room(::operator new (bytes, std::align_val_t{support::line_size}));
  chunk_costs costs(known, loop.iterations);
  return predict(row, loop, costs, room.get());
}

/// What an earlier instance has told of a loop, under a schedule that has small chunks.
struct profiled {
  explicit profiled(const std::vector<double>& sums, std::uint32_t members) {
    simulator::setup given;
    given.loop = {sums.size() - 1, members, 0, 1};
    given.sums = sums;
    given.keep_events = true;
    profile.begin(sums.size() - 1);
    for (const auto& each : simulator::replay(*simulator::find("steal"), given).events) {
      if (each.what.count == 0) continue;
      const auto took = sums[each.what.first + each.what.count] - sums[each.what.first];
      profile.took(each.what.first, each.what.count, static_cast<std::uint64_t>(unit * took));
    }
    profile.sum_up(spread);
    known = {&spread, profile.work(), profile.deviation(), call};
  }
  cost_profile profile;
  density spread;
  loop_costs known;
};

struct row {
  std::string name;
  std::vector<double> costs;
  double off = 0.03;  ///< at most
};

/// Deviations that come in turn, or seldom, are told as if they were at random: among many members that is seen.
std::vector<row> rows(std::uint32_t members) {
  const double seldom = members <= 8 ? 0.03 : members <= 32 ? 0.05 : 0.08;
  const double in_turn = members <= 32 ? 0.05 : 0.13;
  return {{"regular", cost::idws::regular(iterations)},
          {"random", cost::idws::random(iterations)},
          {"dense end", cost::idws::dense_end(iterations)},
          {"dense begin", cost::idws::dense_begin(iterations)},
          {"periodic", cost::idws::periodic(iterations, members), in_turn},
          {"adjoint", cost::adjoint(iterations)},
          {"power law", cost::power_law(iterations), seldom}};
}

double ratio(const char* name, const schedules::shape& loop, const std::vector<double>& sums, const profiled& of) {
  simulator::setup given;
  given.loop = loop;
  given.sums = sums;
  given.cost.call = static_cast<double>(call) / unit;
  const auto exact = unit * simulator::replay(*simulator::find(name), given).makespan;
  return static_cast<double>(predicted(name, loop, of.known)) / exact;
}

class prediction : public ::testing::TestWithParam<std::uint32_t> {};

TEST_P(prediction, is_within_a_few_percent_of_the_simulator) {
  const auto members = GetParam();
  for (const auto& each : rows(members)) {
    const auto sums = cost::prefix_sums(each.costs);
    const profiled of(sums, members);
    for (const char* name : {"static", "dynamic", "guided", "trapezoid", "factoring", "steal", "wsri"}) {
      schedules::shape loop{iterations, members, 0, 1};
      if (std::string(name) == "dynamic") loop.chunk = 64;
      const auto found = ratio(name, loop, sums, of);
      std::printf("%5u %-12s %-10s %.4f\n", members, each.name.c_str(), name, found);
      EXPECT_NEAR(found, 1, each.off) << each.name << " " << name;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(members, prediction, ::testing::Values(2, 8, 32, 128));

TEST(predict, of_learnt_shares_knows_what_they_gain) {
  const auto sums = cost::prefix_sums(cost::adjoint(iterations));
  const profiled of(sums, 8);
  double ends[8];
  std::uint64_t until[8];
  of.spread.cut(8, ends);
  for (int m = 0; m < 8; ++m) until[m] = static_cast<std::uint64_t>(ends[m] * iterations);
  schedules::shape loop{iterations, 8, 0, 1};
  loop.known.ends = until;
  EXPECT_NEAR(ratio("nustatic", loop, sums, of), 1, 0.01);
  const auto shares = predicted("nustatic", loop, of.known);
  loop.known.ends = nullptr;
  EXPECT_GT(predicted("nustatic", loop, of.known), shares * 18 / 10) << "equal blocks of a triangle";
}

TEST(predict, charges_every_call) {
  density even;
  const loop_costs free{&even, 1'000'000, 0, 0};
  const loop_costs dear{&even, 1'000'000, 0, 1000};
  const schedules::shape loop{1000, 4, 10, 1};
  EXPECT_EQ(predicted("dynamic", loop, free), 250'000U);
  EXPECT_EQ(predicted("dynamic", loop, dear), 250'000U + 26 * 1000) << "25 chunks, and the last call";
  EXPECT_EQ(predicted("static", {1000, 1, 0, 1}, dear), 1'002'000U);
}

TEST(predict, gives_up_on_what_has_too_many_calls) {
  density even;
  const loop_costs known{&even, 1'000'000, 0, 0};
  EXPECT_EQ(predicted("dynamic", {most_calls_to_predict * 2, 2, 1, 1}, known), not_predicted);
  EXPECT_NE(predicted("guided", {most_calls_to_predict * 2, 2, 0, 1}, known), not_predicted);
}

TEST(predict, is_the_same_each_time) {
  density even;
  const loop_costs known{&even, 1'000'000, 9 * 1024, 10};
  for (const char* name : {"steal", "random", "factoring"}) {
    EXPECT_EQ(predicted(name, {10'000, 8, 0, 7}, known), predicted(name, {10'000, 8, 0, 7}, known)) << name;
  }
}

/// Iterations that deviate make long chunks late.
TEST(predict, knows_that_deviations_keep_members_waiting) {
  density even;
  const loop_costs calm{&even, 1'000'000, 0, 0};
  const loop_costs wild{&even, 1'000'000, 3 * 1024, 0};
  const schedules::shape loop{10'000, 16, 0, 1};
  EXPECT_EQ(predicted("static", loop, calm), 62'500U);
  EXPECT_GT(predicted("static", loop, wild), 66'000U);
  EXPECT_LT(predicted("steal", loop, wild), 65'000U);
}

/// Chunks with a stride wider than the parts: as few and dear iterations are dealt, one by one.
TEST(predict, knows_each_of_a_few_iterations_that_are_dealt_in_turn) {
  constexpr std::uint64_t few = 512;
  constexpr std::uint32_t members = 16;
  cost_profile profile;
  profile.begin(few);
  std::vector<double> costs(few);
  for (std::uint64_t i = 0; i < few; ++i) {
    costs[i] = 100'000 / static_cast<double>(i + 1) + 10;
    profile.took(i, 1, static_cast<std::uint64_t>(costs[i]));
  }
  density spread;
  ASSERT_NE(profile.sum_up(spread).work, 0U);
  const loop_costs known{&spread, profile.work(), 0, 1};
  chunk_costs each(known, few);
  double first_member = 0;
  for (std::uint64_t i = 0; i < few; i += members) first_member += costs[i];
  EXPECT_NEAR(each.of({0, few / members, members}), first_member, first_member / 500);
  EXPECT_NEAR(each.of({3, 1, members}), costs[3], costs[3] / 500);
  const auto sums = cost::prefix_sums(costs);
  for (const char* const name : {"cyclic", "wsri:paper", "wsr:paper", "dynamic"}) {
    simulator::setup given;
    given.loop = {few, members, 0, 1};
    given.loop.front_end.contiguous = false;
    given.sums = sums;
    given.cost.call = 1;
    const auto makespan = simulator::replay(*simulator::find(name), given).makespan;
    schedules::shape loop{few, members, 0, 1};
    EXPECT_NEAR(static_cast<double>(predicted(name, loop, known)), makespan, makespan / 20) << name;
  }
}

}  // namespace
}  // namespace steelyard::learn
