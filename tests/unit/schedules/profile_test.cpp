// SPDX-License-Identifier: Apache-2.0
#include "schedules/profile.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <numeric>
#include <random>
#include <vector>

#include "cost/distributions.hpp"
#include "loop_run.hpp"
#include "schedules/weigh.hpp"
#include "schedules/work_sums.hpp"
#include "schedules/wsrw.hpp"

namespace steelyard::schedules {
namespace {

using testing::covers;
using testing::everybody;
using testing::in_random_order;
using testing::loop_run;

profile::weights ascending() {
  profile::weights of{};
  for (std::uint32_t b = 0; b < profile::bins; ++b) of[b] = b;
  return of;
}

TEST(profile, bins_hold_every_iteration_once) {
  for (const std::uint64_t n : {1ULL, 2ULL, 1023ULL, 1024ULL, 1025ULL, 5000ULL, ~0ULL}) {
    EXPECT_EQ(profile::first_of(0, n), 0U);
    EXPECT_EQ(profile::first_of(profile::bins, n), n);
    for (std::uint32_t b = 0; b < profile::bins; ++b) {
      const auto first = profile::first_of(b, n);
      const auto behind = profile::first_of(b + 1, n);
      ASSERT_LE(first, behind);
      if (first == behind) continue;
      ASSERT_EQ(profile::bin_of(first, n), b) << n;
      ASSERT_EQ(profile::bin_of(behind - 1, n), b) << n;
    }
  }
}

TEST(profile, says_what_is_before_a_unit) {
  profile costs;
  EXPECT_EQ(costs.total(), 0);
  costs.set(ascending());
  EXPECT_EQ(costs.total(), 1023 * 512);
  EXPECT_EQ(costs.before(0, 4096), 0);
  EXPECT_EQ(costs.before(4096, 4096), costs.total());
  EXPECT_EQ(costs.before(40, 4096), 45);         // bins 0 … 9
  EXPECT_EQ(costs.before(42, 4096), 50);         // and half of 10
  EXPECT_EQ(costs.before(1, 2), 512 * 511 / 2);  // fewer units than bins
}

TEST(profile, finds_where_work_is_reached) {
  profile costs;
  costs.set(ascending());
  for (const std::uint32_t n : {7U, 1024U, 100'000U, ~0U}) {
    for (const double part : {0.0, 0.1, 0.5, 0.9, 1.0}) {
      const auto unit = costs.reaching(part * costs.total(), n);
      ASSERT_LE(unit, n);
      // Linear costs: the square root of the part. A unit more or less.
      EXPECT_NEAR(unit / static_cast<double>(n), std::sqrt(part), 0.002 + 1.0 / n);
    }
  }
  EXPECT_EQ(costs.reaching(2 * costs.total(), 50), 50U);
  EXPECT_EQ(costs.reaching(-1, 50), 0U);
}

struct calls {
  std::vector<std::int64_t> seen;
  double (*cost)(std::int64_t);
};
double note(void* of, std::int64_t index) {
  auto& all = *static_cast<calls*>(of);
  all.seen.push_back(index);
  return all.cost(index);
}

TEST(profile, asks_for_the_cost_of_each_index_once) {
  for (const std::uint64_t n : {1ULL, 10ULL, 1024ULL, 2500ULL}) {
    calls made{{}, [](std::int64_t index) { return index < 0 ? 3.0 : 1.0; }};
    profile costs;
    ASSERT_TRUE(costs.set(note, &made, -7, 3, n));
    ASSERT_EQ(made.seen.size(), n);
    for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(made.seen[i], -7 + 3 * static_cast<std::int64_t>(i));
    const auto units = static_cast<std::uint32_t>(n);
    if (n > 3) {
      EXPECT_NEAR(costs.before(3, units) / costs.total(), 9.0 / (9 + static_cast<double>(n) - 3), 1e-3);
    }
  }
}

TEST(profile, keeps_what_it_has_when_costs_say_nothing) {
  profile costs;
  costs.set(ascending());
  const auto before = costs.total();
  for (auto* const cost : {+[](void*, std::int64_t) { return 0.0; }, +[](void*, std::int64_t) { return -1.0; },
                           +[](void*, std::int64_t) { return std::numeric_limits<double>::quiet_NaN(); },
                           +[](void*, std::int64_t) { return std::numeric_limits<double>::infinity(); }}) {
    EXPECT_FALSE(costs.set(cost, nullptr, 0, 1, 100));
    EXPECT_EQ(costs.total(), before);
  }
}

void ascend(void*, std::uint64_t first, std::uint64_t count, double* out) {
  std::iota(out, out + count, static_cast<double>(first));
}

/// Of every range, what sums say.
TEST(profile, weighs_as_sums_do_where_costs_are_smooth) {
  std::mt19937_64 draw(1);
  profile costs;
  costs.set(ascending());
  for (int round = 0; round < 200; ++round) {
    shape loop{100'000 + draw() % 1'000'000, 1 + static_cast<std::uint32_t>(draw() % 16)};
    loop.front_end.contiguous = draw() % 2 == 0;
    const wsrw_rules::deal deal(loop, wsrw_rules::take::reservation(loop));
    std::vector<double> memory(work_sums::size_for(loop));
    work_sums sums(memory);
    const weigh::work exactly(sums.apply(loop, {cost::source(ascend, nullptr)}), deal);
    loop.known.roughly = &costs;
    const weigh::work roughly(loop, deal);
    const auto n = static_cast<double>(loop.iterations);
    const double sum_of_all = n * (n - 1) / 2;
    const auto share = deal.share(static_cast<member>(draw() % loop.members));
    const auto begin = share.begin() + static_cast<std::uint32_t>(draw() % (share.size() / 2));
    const range left{begin, share.end()};
    ASSERT_NEAR(roughly.work_of(left) / costs.total(), exactly.work_of(left) / sum_of_all, 0.005);
    ASSERT_NEAR(roughly.half_way(left), exactly.half_way(left), 0.01 * share.size() + 64);
  }
}

/// Whatever a profile says, also when it changes meanwhile.
TEST(profile, loses_no_iteration) {
  std::mt19937_64 draw(2);
  for (int round = 0; round < 300; ++round) {
    auto costs = std::make_unique<profile>();
    profile::weights of{};
    for (auto& weight : of) weight = draw() % 8 == 0 ? draw() >> 12 : 0;
    costs->set(of);
    shape loop{draw() % 5000, 1 + static_cast<std::uint32_t>(draw() % 9), draw() % 20};
    loop.front_end.contiguous = draw() % 2 == 0;
    loop.known.roughly = costs.get();
    loop_run run("wsrw", loop);
    std::vector<testing::handed_out> first;
    for (int i = 0; i < 10; ++i) {
      const auto who = static_cast<member>(draw() % loop.members);
      if (const auto got = run.next(who); !got.done()) first.push_back({who, got});
    }
    for (auto& weight : of) weight = draw() >> 12;
    costs->set(of);
    auto all = in_random_order(run, everybody(loop.members), draw);
    all.insert(all.end(), first.begin(), first.end());
    ASSERT_TRUE(covers(all, loop.iterations));
  }
}

}  // namespace
}  // namespace steelyard::schedules
