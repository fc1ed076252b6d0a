// SPDX-License-Identifier: Apache-2.0
#include "learn/serial_costs.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <numeric>
#include <vector>

#include "learn/shares.hpp"

namespace steelyard::learn {
namespace {

using pass = serial_costs::pass;
using costs = std::function<std::uint64_t(std::uint64_t)>;

constexpr std::uint64_t n = 10'240;

std::uint64_t falling(std::uint64_t i) { return n - i; }

/// Both passes; reading the clock adds to each difference.
void learn_from(serial_costs& of, std::uint64_t iterations, const costs& cost, std::uint64_t reading = 0) {
  ASSERT_EQ(of.begin(iterations), pass::total);
  std::uint64_t all = 0;
  for (std::uint64_t i = 0; i < iterations; ++i) all += cost(i);
  of.took(all);
  ASSERT_EQ(of.begin(iterations), pass::differences);
  for (std::uint64_t i = 0; i < iterations; ++i) of.took_next(cost(i) + reading);
  of.took_all();
}

std::vector<std::uint64_t> cut(const serial_costs& of, std::uint64_t iterations, std::uint32_t members) {
  const auto known = std::make_unique<shares>();
  known->teach(of.spread());
  std::vector<std::uint64_t> ends(members);
  EXPECT_TRUE(known->deal(iterations, members, ends.data()));
  EXPECT_TRUE(known->is_settled());
  return ends;
}

/// The largest distance from the paper's rule: the boundary is the largest i for which iterations up to i cost no more than s parts.
double distance(const std::vector<std::uint64_t>& ends, std::uint64_t iterations, const costs& cost) {
  std::uint64_t all = 0;
  for (std::uint64_t i = 0; i < iterations; ++i) all += cost(i);
  double most = 0;
  std::uint64_t before = 0;
  std::uint64_t i = 0;
  for (std::size_t s = 1; s < ends.size(); ++s) {
    while (i < iterations && (before + cost(i)) * ends.size() <= s * all) before += cost(i++);
    most = std::max(most, std::abs(static_cast<double>(ends[s - 1]) - static_cast<double>(i)));
  }
  return most;
}

TEST(serial_costs, adjoint_has_the_analytic_shares) {
  serial_costs of;
  learn_from(of, n, falling);
  for (const std::uint32_t members : {2U, 4U, 8U}) {
    const auto ends = cut(of, n, members);
    for (std::uint32_t s = 1; s <= members; ++s) {
      const double analytic = 1 - std::sqrt(1 - static_cast<double>(s) / members);
      EXPECT_NEAR(static_cast<double>(ends[s - 1]) / n, analytic, 0.001) << members << ' ' << s;
    }
  }
}

TEST(serial_costs, boundaries_follow_the_paper) {
  const costs all[] = {falling, [](std::uint64_t i) { return 1 + i; }, [](std::uint64_t) { return 100; },
                       [](std::uint64_t i) { return i % 7 == 0 ? 1000 : 10 + i / 100; }};
  for (const auto& cost : all) {
    for (const std::uint64_t iterations : {3U, 100U, 511U, 512U, 513U, 10'240U}) {
      serial_costs of;
      learn_from(of, iterations, cost);
      for (const std::uint32_t members : {2U, 3U}) {
        EXPECT_LE(distance(cut(of, iterations, members), iterations, cost),
                  1.5 + static_cast<double>(iterations) / density::bins)
            << iterations << ' ' << members;
      }
    }
  }
}

TEST(serial_costs, the_error_is_what_reading_the_clock_adds) {
  serial_costs of;
  EXPECT_EQ(of.error(), 0.0);
  learn_from(
      of, 1000, [](std::uint64_t) { return 10'000; }, 50);
  EXPECT_NEAR(of.error(), 0.5, 1e-9);
}

/// Of the paper's kernels, in its cycles (table 2), where reading the clock takes 50: the error of learning as published, and that
/// of learning from blocks of four members, whose shares are the same.
TEST(serial_costs, the_papers_kernels_are_learnt_exactly_in_both_ways) {
  struct kernel {
    std::uint64_t iterations;
    costs cost;
    double serial_error;
  };
  const kernel all[] = {{1024, [](std::uint64_t) { return 26'786'087; }, 0.001},
                        {1024, [](std::uint64_t i) { return 1'936'474 + 1500 * i - 1500 * 512; }, 0.01},
                        {102'400, [](std::uint64_t i) { return 2 * 9346 * (102'400 - i) / 102'400; }, 0.6}};
  constexpr std::uint64_t reading = 50;
  constexpr std::uint32_t members = 4;
  for (const auto& [iterations, cost, serial_error] : all) {
    serial_costs serial;
    learn_from(serial, iterations, cost, reading);
    EXPECT_LT(serial.error(), serial_error);
    const auto published = cut(serial, iterations, members);

    const auto ours = std::make_unique<shares>();
    std::uint64_t total = 0;
    for (std::uint64_t i = 0; i < iterations; ++i) total += cost(i);
    std::vector<std::uint64_t> ends(members);
    for (std::uint32_t m = 0; m < members; ++m) ends[m] = iterations * (m + 1) / members;
    for (int instance = 0; instance < 3; ++instance) {
      std::vector<std::uint64_t> took(members, reading);
      for (std::uint64_t i = 0, m = 0; i < iterations; ++i) {
        while (i >= ends[m]) ++m;
        took[m] += cost(i);
      }
      const auto sum = std::accumulate(took.begin(), took.end(), std::uint64_t{0});
      EXPECT_LT(100 * static_cast<double>(sum - total) / static_cast<double>(total), 0.001);
      ours->learn(iterations, members, ends.data(), took.data());
      ours->deal(iterations, members, ends.data());
    }
    for (std::uint32_t m = 0; m < members; ++m) {
      EXPECT_NEAR(static_cast<double>(ends[m]), static_cast<double>(published[m]),
                  static_cast<double>(iterations) / 100);
    }
  }
}

TEST(serial_costs, equal_costs_give_equal_blocks) {
  serial_costs of;
  learn_from(of, n, [](std::uint64_t) { return 100; });
  const auto ends = cut(of, n, 4);
  for (std::uint32_t s = 1; s <= 4; ++s) EXPECT_NEAR(static_cast<double>(ends[s - 1]), s * n / 4.0, 1);
}

TEST(serial_costs, are_learnt_once_while_shares_stay_equal) {
  serial_costs of;
  learn_from(of, n, falling);
  for (int i = 0; i < 50; ++i) {
    EXPECT_EQ(of.begin(n), pass::none);
    of.shared(i % 7 == 3 ? 0.5 : 0.02);  // a disturbance now and then
  }
}

TEST(serial_costs, are_learnt_again_in_another_phase) {
  serial_costs of;
  learn_from(of, n, falling);
  for (int i = 0; i < 15; ++i) {
    of.shared(i % 8 < 4 ? 0.02 : 0.5);
    EXPECT_EQ(of.begin(n), pass::none) << "so soon";
  }
  of.shared(0.02);
  of.shared(0.5);
  EXPECT_EQ(of.begin(n), pass::none);
  of.shared(0.5);
  EXPECT_EQ(of.begin(n), pass::total);
}

TEST(serial_costs, are_learnt_again_where_the_trip_count_is_another) {
  serial_costs of;
  learn_from(of, n, falling);
  EXPECT_EQ(of.begin(n + 100), pass::none) << "shares are fractions";
  EXPECT_EQ(of.begin(n / 4), pass::total);
  of.took(1000);
  EXPECT_EQ(of.begin(n), pass::total) << "the total is of another loop";
}

TEST(serial_costs, of_a_loop_that_was_stopped_are_learnt_anew) {
  serial_costs of;
  EXPECT_EQ(of.begin(n), pass::total);
  of.took(1000);
  EXPECT_EQ(of.begin(n), pass::differences);
  of.took_next(10);
  of.stopped();
  learn_from(of, n, falling);
  EXPECT_EQ(of.error(), 0.0);
}

}  // namespace
}  // namespace steelyard::learn
