// SPDX-License-Identifier: Apache-2.0
// Scans.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <deque>
#include <numeric>
#include <random>
#include <stdexcept>
#include <steelyard/loop.hpp>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "loops.hpp"

namespace {

using loop_tests::all_schedules;
using steelyard::order;
using steelyard::parallel_scan;
using steelyard::pool;

using matrix = std::array<std::uint64_t, 4>;
matrix times(const matrix& a, const matrix& b) {
  return {a[0] * b[0] + a[1] * b[2], a[0] * b[1] + a[1] * b[3], a[2] * b[0] + a[3] * b[2], a[2] * b[1] + a[3] * b[3]};
}

TEST(Scan, MatricesAsTheStandardLibrary) {
  for (const std::size_t n : {0U, 1U, 2U, 100U, 4096U, 4097U, 12289U}) {
    std::vector<matrix> in(n);
    for (std::size_t i = 0; i < n; ++i) in[i] = {i + 1, 2 * i, 3, i ^ 5};
    std::vector<matrix> wanted(n);
    std::inclusive_scan(in.begin(), in.end(), wanted.begin(), times);
    for (std::uint32_t threads = 1; threads <= 8; ++threads) {
      pool on(threads);
      for (const char* schedule : all_schedules()) {
        for (const auto how : {order::any, order::fixed}) {
          std::vector<matrix> out(n);
          ASSERT_TRUE(parallel_scan(in.begin(), in.end(), out.begin(), matrix{1, 0, 0, 1}, times,
                                    {.schedule = schedule, .on = &on, .always_parallel = true}, how));
          ASSERT_EQ(out, wanted) << schedule << ' ' << threads << ' ' << n;
        }
      }
    }
  }
}

TEST(Scan, StringsInPlace) {
  std::deque<std::string> text(300);
  for (std::size_t i = 0; i < text.size(); ++i) text[i] = std::string(1, static_cast<char>('a' + i % 26));
  std::deque<std::string> wanted(text.size());
  std::inclusive_scan(text.begin(), text.end(), wanted.begin());
  EXPECT_TRUE(
      parallel_scan(text.begin(), text.end(), text.begin(), std::string(), std::plus<>{}, {.always_parallel = true}));
  EXPECT_EQ(text, wanted);
}

TEST(Scan, StoppedIsFalse) {
  std::stop_source end;
  end.request_stop();
  std::vector<int> in(1000, 1);
  EXPECT_FALSE(parallel_scan(in.begin(), in.end(), in.begin(), 0, std::plus<>{}, {.stop = end.get_token()}));
}

TEST(Scan, FixedOrderGivesTheSameBits) {
  std::mt19937_64 draw(1);
  std::uniform_real_distribution<double> number(-1, 1);
  std::vector<double> in(100'000);
  for (auto& x : in) x = number(draw);
  std::vector<double> wanted;
  for (std::uint32_t threads = 1; threads <= 6; ++threads) {
    pool on(threads);
    for (int run = 0; run < 20; ++run) {
      std::vector<double> out(in.size());
      parallel_scan(in.begin(), in.end(), out.begin(), 0.0, std::plus<>{}, {.on = &on, .always_parallel = true},
                    order::fixed);
      if (wanted.empty()) wanted = out;
      ASSERT_EQ(out, wanted) << threads;
    }
  }
}

/// Nobody prepares what the only member comes to anyway.
TEST(Scan, OneThreadTakesOneStepForEachTerm) {
  pool one(1);
  std::vector<int> in(50'000, 1);
  std::vector<int> out(in.size());
  std::size_t steps = 0;
  const auto add = [&](int a, int b) { return ++steps, a + b; };
  parallel_scan(in.begin(), in.end(), out.begin(), 0, add, {.on = &one});
  EXPECT_EQ(out.back(), 50'000);
  EXPECT_EQ(steps, in.size());
}

/// Whoever claims what, and whatever has been reached by then.
TEST(Scan, EveryOrderOfTurnsWritesEverything) {
  std::mt19937_64 draw(1);
  std::plus<> add;
  for (int round = 0; round < 500; ++round) {
    const auto n = 1 + draw() % 600;
    std::vector<std::uint64_t> in(n);
    for (auto& x : in) x = draw();
    std::vector<std::uint64_t> wanted(n);
    std::inclusive_scan(in.begin(), in.end(), wanted.begin());
    std::vector<std::uint64_t> out(n, 7);
    const std::uint64_t zero = 0;
    const auto how = draw() % 2 == 0 ? order::any : order::fixed;
    steelyard::detail::scan all(in.begin(), n, out.begin(), zero, add, how, 3);
    // Members that claim, and run what they have claimed after others have had any number of turns.
    constexpr auto nothing = ~std::uint64_t{0};
    std::array<std::uint64_t, 3> claimed{nothing, nothing, nothing};
    for (std::uint64_t claims = 0, left = all.count(); left != 0;) {
      const auto member = draw() % 3;
      if (claimed[member] == nothing) {
        if (claims++ < all.count()) claimed[member] = all.claim();
      } else {
        all.run(std::exchange(claimed[member], nothing), member);
        --left;
      }
    }
    for (const auto leaf : all.rest()) all.write(leaf);
    ASSERT_EQ(out, wanted) << round;
  }
}

TEST(Scan, AnExceptionLeavesIt) {
  pool three(3);
  std::vector<int> in(10'000, 1);
  for (int at = 0; at < 10'000; at += 487) {
    in[static_cast<std::size_t>(at)] = -1;
    const auto add = [](int a, int b) { return b < 0 ? throw std::runtime_error("negative") : a + b; };
    EXPECT_THROW(parallel_scan(in.begin(), in.end(), in.begin(), 0, add, {.on = &three, .always_parallel = true}),
                 std::runtime_error);
    std::fill(in.begin(), in.end(), 1);
  }
}

TEST(Scan, AnUnknownScheduleIsRefused) {
  std::vector<int> in(10, 1);
  EXPECT_THROW(parallel_scan(in.begin(), in.end(), in.begin(), 0, std::plus<>{}, {.schedule = "best"}),
               std::invalid_argument);
  EXPECT_EQ(in.back(), 1);
}

}  // namespace
