// SPDX-License-Identifier: Apache-2.0
#include "schedules/work_in_order.hpp"

#include <memory>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "cost/limit.hpp"
#include "schedules/profile.hpp"
#include "schedules/work_sums.hpp"

namespace steelyard::schedules {
namespace {

/// A loop with the sums of its costs.
struct told {
  told(shape loop, const std::vector<double>& costs)
      : memory(work_sums::size_for(loop)), sums(memory), known(sums.apply(loop, {cost::source::of(costs.data())})) {}
  std::vector<double> memory;
  work_sums sums;
  shape known;
};

std::vector<double> drawn(std::uint64_t n, std::uint64_t seed) {
  std::mt19937_64 draw(seed);
  std::vector<double> costs(n);
  for (auto& cost : costs) cost = static_cast<double>(1 + draw() % 9);
  return costs;
}

/// The pieces follow each other and hold all; what is before each of their units is what costs say, within `off` of all of it.
void expect_in_order(work_in_order work, const std::vector<double>& costs, double off) {
  const auto sums = cost::prefix_sums(costs);
  const double least = off * sums.back() + 1e-9 * sums.back();
  EXPECT_TRUE(work.knows_costs());
  double before = 0;
  std::uint32_t at = 0;
  while (work.next()) {
    ASSERT_EQ(work.begin(), at);
    ASSERT_GT(work.end(), at);
    for (; at < work.end(); ++at) {
      EXPECT_NEAR(before + work.before(at), sums[at], least) << at;
      EXPECT_EQ(work.reaching(work.before(at + 1) * (1 - 1e-9)), at + 1);
    }
    before += work.work();
  }
  EXPECT_EQ(at, costs.size());
  EXPECT_NEAR(before / work.total(), 1, 1e-9);
}

TEST(work_in_order, is_what_lists_of_few_blocks_say) {
  for (const bool contiguous : {false, true}) {
    for (const std::uint64_t chunk : {0U, 1U, 5U}) {
      for (const std::uint32_t members : {1U, 3U, 8U}) {
        const auto costs = drawn(1000, members);
        const told of({1000, members, chunk, 0, {.contiguous = contiguous, .expensive_first = true}}, costs);
        ASSERT_NE(of.known.known.sums, nullptr);
        expect_in_order(work_in_order(of.known), costs, 0);
      }
    }
  }
}

TEST(work_in_order, is_about_what_lists_of_many_blocks_say) {
  const auto costs = drawn(200'003, 5);
  const told of({costs.size(), 3, 2, 0, {.contiguous = true}}, costs);
  expect_in_order(work_in_order(of.known), costs, 2e-3);
}

TEST(work_in_order, reaches_exactly_where_costs_are_known_exactly) {
  const std::vector<double> costs{4, 0, 0, 3, 1, 0, 5, 2};
  const told of({8, 1, 8, 0, {.contiguous = true}}, costs);  // one block
  work_in_order work(of.known);
  ASSERT_TRUE(work.next());
  EXPECT_EQ(work.end(), 8U);
  EXPECT_EQ(work.reaching(4), 1U);
  EXPECT_EQ(work.reaching(4.5), 4U);
  EXPECT_EQ(work.reaching(8), 5U);
  EXPECT_EQ(work.reaching(15), 8U);
  EXPECT_EQ(work.reaching(100), 8U);
  EXPECT_EQ(work.reaching(0), 1U) << "never its first one";
}

TEST(work_in_order, is_what_a_profile_says) {
  for (const std::uint64_t n : {1U, 7U, 1024U, 5000U}) {
    auto costs = drawn(n, n);
    auto roughly = std::make_unique<profile>();
    roughly->set([](void* of, std::int64_t i) { return static_cast<double*>(of)[i]; }, costs.data(), 0, 1, n);
    shape loop{n, 2, 0, 0};
    loop.known.roughly = roughly.get();
    // In its own unit.
    const auto in_all = [&](const std::vector<double>& of) {
      auto scaled = of;
      for (auto& cost : scaled) cost *= roughly->total() / cost::prefix_sums(of).back();
      return scaled;
    };
    expect_in_order(work_in_order(loop), in_all(costs), n <= profile::bins ? 0 : 1e-3);
  }
}

TEST(work_in_order, counts_units_where_nothing_is_known) {
  work_in_order work({(1ULL << 40) + 1, 4, 0, 0});
  EXPECT_FALSE(work.knows_costs());
  EXPECT_EQ(work.total(), work.unit().count());
  ASSERT_TRUE(work.next());
  EXPECT_EQ(work.end(), work.unit().count());
  EXPECT_EQ(work.before(12'345'678), 12'345'678.0);
  EXPECT_EQ(work.reaching(12'345'678), 12'345'678U);
  EXPECT_EQ(work.reaching(12'345'678.5), 12'345'679U);
  EXPECT_FALSE(work.next());
  EXPECT_FALSE(work_in_order({0, 4, 0, 0}).next());
}

}  // namespace
}  // namespace steelyard::schedules
