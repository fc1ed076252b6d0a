// SPDX-License-Identifier: Apache-2.0
// Reductions.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstring>
#include <limits>
#include <numeric>
#include <ranges>
#include <stdexcept>
#include <steelyard/loop.hpp>
#include <string>
#include <vector>

#include "loops.hpp"

namespace {

using loop_tests::all_schedules;
using steelyard::order;
using steelyard::parallel_reduce;
using steelyard::pool;

TEST(Reduce, SumsOfIntegers) {
  for (std::uint32_t threads = 1; threads <= 8; ++threads) {
    pool on(threads);
    for (const char* schedule : all_schedules()) {
      for (const auto how : {order::any, order::fixed}) {
        for (const std::int64_t n : {0, 1, 2, 100, 4095, 4096, 4097, 10000}) {
          const auto sum = parallel_reduce(
              std::int64_t{0}, n, std::int64_t{0}, [](std::int64_t i) { return i; }, std::plus<>{},
              {.schedule = schedule, .on = &on, .always_parallel = true}, how);
          ASSERT_EQ(sum, n * (n - 1) / 2) << schedule << ' ' << threads;
        }
      }
    }
  }
}

double term(int i) { return std::sin(static_cast<double>(i)) / (i % 7 + 1e-3) * std::pow(10.0, i % 13); }

std::uint64_t bits(double value) {
  std::uint64_t all = 0;
  std::memcpy(&all, &value, sizeof all);
  return all;
}

TEST(Reduce, FixedOrderGivesTheSameBits) {
  for (const int n : {1, 10, 4096, 10007}) {
    pool one(1);
    const auto wanted = parallel_reduce(0, n, 0.0, term, std::plus<>{}, {.on = &one}, order::fixed);
    for (std::uint32_t threads = 1; threads <= 8; ++threads) {
      pool on(threads);
      for (const char* schedule : all_schedules()) {
        const auto sum = parallel_reduce(0, n, 0.0, term, std::plus<>{},
                                         {.schedule = schedule, .on = &on, .always_parallel = true}, order::fixed);
        ASSERT_EQ(bits(sum), bits(wanted)) << schedule << ' ' << threads << ' ' << n;
      }
    }
  }
}

TEST(Reduce, FixedOrderKeepsTheOrder) {
  std::string wanted;
  for (int i = 0; i < 9000; ++i) wanted += std::to_string(i % 10);
  pool four(4);
  for (const char* schedule : all_schedules()) {
    const auto got = parallel_reduce(
        0, 9000, std::string(), [](int i) { return std::to_string(i % 10); },
        [](const std::string& a, const std::string& b) { return a + b; },
        {.schedule = schedule, .on = &four, .always_parallel = true}, order::fixed);
    ASSERT_EQ(got, wanted) << schedule;
  }
}

/// How long the longest chain of additions is that a value stands at the end of.
struct chain {
  std::uint32_t longest;
  explicit chain(std::uint32_t length) : longest(length) {}
  chain() : chain(0) {}
};

/// A thread adds eight values side by side, or pairs: additions need not wait for each other.
TEST(Reduce, AdditionsDoNotWaitForEachOther) {
  pool one(1);
  for (const auto how : {order::any, order::fixed}) {
    constexpr int n = 100'000;
    int additions = 0;
    const auto sum = parallel_reduce(
        0, n, chain(0), [](int) { return chain(1); },
        [&additions](chain a, chain b) {
          ++additions;
          return chain(std::max(a.longest, b.longest) + 1);
        },
        {.on = &one}, how);
    EXPECT_LE(sum.longest, n / 7);
    EXPECT_GE(additions, n - 1);
    EXPECT_LE(additions, n + 4096) << "an addition for each term, and for each part";
  }
}

/// x -> a x + b modulo 2^32; the composition of these is not commutative.
struct affine {
  std::uint32_t a = 1, b = 0;
  friend bool operator==(const affine&, const affine&) = default;
};
constexpr affine then(affine first, affine second) { return {first.a * second.a, first.b * second.a + second.b}; }

TEST(Reduce, FixedOrderKeepsTheOrderOfSmallValues) {
  const auto map = [](int i) { return affine{2U * static_cast<std::uint32_t>(i) + 3, static_cast<std::uint32_t>(i)}; };
  pool four(4);
  for (const int n : {1, 2, 3, 15, 16, 17, 255, 256, 257, 5000, 300'000}) {
    affine wanted;
    for (int i = 0; i < n; ++i) wanted = then(wanted, map(i));
    EXPECT_EQ(parallel_reduce(0, n, affine{}, map, then, {.on = &four, .always_parallel = true}, order::fixed), wanted)
        << n;
  }
}

/// Every term once, whatever the lengths of blocks and of what is left of them; in ascending order within a piece.
TEST(Reduce, EveryTermOnceForEachLength) {
  pool one(1);
  for (const auto how : {order::any, order::fixed}) {
    for (int n = 0; n < 600; ++n) {
      int next = 0;
      bool ascending = true;
      const auto sum = parallel_reduce(
          0, n, std::int64_t{0},
          [&](int i) {
            ascending = ascending && i == next++;
            return (std::int64_t{1} << (i % 40)) + i;
          },
          std::plus<>{}, {.on = &one}, how);
      std::int64_t wanted = 0;
      for (int i = 0; i < n; ++i) wanted += (std::int64_t{1} << (i % 40)) + i;
      ASSERT_EQ(sum, wanted) << n;
      ASSERT_TRUE(ascending && next == n) << n;
    }
  }
}

TEST(Reduce, WhatATermOrAnAdditionThrowsComesBack) {
  for (const auto how : {order::any, order::fixed}) {
    const auto throwing = [](int i) { return i == 77'777 ? throw std::runtime_error("term") : 1L; };
    EXPECT_THROW(static_cast<void>(parallel_reduce(0, 100'000, 0L, throwing, how)), std::runtime_error);
    const auto adding = [](long a, long b) { return a + b >= 500 ? throw std::runtime_error("addition") : a + b; };
    EXPECT_THROW(static_cast<void>(parallel_reduce(
                     0, 100'000, 0L, [](int) { return 1L; }, adding, {.threads = 1}, how)),
                 std::runtime_error);
  }
}

/// Values that are not small, that own memory, or that another default constructor makes.
TEST(Reduce, ValuesOfOtherKinds) {
  using wide = std::array<std::int64_t, 4>;
  const auto wider = [](wide a, const wide& b) {
    for (std::size_t i = 0; i < 4; ++i) a[i] += b[i];
    return a;
  };
  for (const auto how : {order::any, order::fixed}) {
    const auto four = parallel_reduce(
        0, 1000, wide{},
        [](int i) {
          return wide{i, 1, -i, 0};
        },
        wider, {.always_parallel = true}, how);
    EXPECT_EQ(four, (wide{499'500, 1000, -499'500, 0}));
    const auto turned = parallel_reduce(
        0, 1000, std::complex<double>(), [](int i) { return std::complex<double>(i, 1); }, how);
    EXPECT_EQ(turned, std::complex<double>(499'500, 1000));
    const auto any = parallel_reduce(
        0, 1000, false, [](int i) { return i == 999; }, std::logical_or<>{}, {.always_parallel = true}, how);
    EXPECT_TRUE(any);
    const auto letters = parallel_reduce(
        0, 1000, std::string(), [](int) { return std::string(20, 'a'); }, std::plus<>{}, {.always_parallel = true},
        how);
    EXPECT_EQ(letters, std::string(20'000, 'a'));
  }
}

TEST(Reduce, OtherOperationsAndTypes) {
  const auto greatest = parallel_reduce(
      std::int8_t{-100}, std::int8_t{100}, std::numeric_limits<int>::min(), [](std::int8_t i) { return i * i; },
      [](int a, int b) { return std::max(a, b); });
  EXPECT_EQ(greatest, 10000);
  const bool all = parallel_reduce(
      0, 1000, true, [](int i) { return i >= 0; }, std::logical_and<>{}, {.always_parallel = true}, order::fixed);
  EXPECT_TRUE(all);
  EXPECT_EQ(parallel_reduce(5, 2, 42, [](int i) { return i; }), 42) << "reversed: the identity";
}

/// In a loop that runs on more threads than another pool has, and in nested ones.
TEST(Reduce, Nested) {
  pool three(3);
  const auto total = parallel_reduce(0, 50, 0L,
                                     [](int i) {
                                       return parallel_reduce(0, i, 0L, [](int j) { return long{j}; }, std::plus<>{},
                                                              {.always_parallel = true});
                                     },
                                     std::plus<>{}, {.schedule = "idws", .on = &three, .always_parallel = true});
  long wanted = 0;
  for (int i = 0; i < 50; ++i) wanted += i * (i - 1) / 2;
  EXPECT_EQ(total, wanted);
}

TEST(Reduce, TheOrderAlone) {
  const auto term = [](int i) { return 1.0 / (i + 1); };
  EXPECT_EQ(parallel_reduce(0, 1000, 0.0, term, order::fixed),
            parallel_reduce(0, 1000, 0.0, term, std::plus<>{}, {.threads = 1}, order::fixed));
}

/// Progress counts terms, also where they are summed by parts, and ends with all of them.
TEST(Reduce, ProgressIsOfTerms) {
  for (const auto how : {order::any, order::fixed}) {
    std::uint64_t last = 0;
    const auto report = [&](std::uint64_t taken, std::uint64_t all) {
      EXPECT_EQ(all, 100'000U);
      EXPECT_GE(taken, last);
      last = taken;
    };
    const auto sum = parallel_reduce(
        0, 100'000, 0L, [](int) { return 1L; }, std::plus<>{}, {.progress = report}, how);
    EXPECT_EQ(sum, 100'000);
    EXPECT_EQ(last, 100'000U);
  }
}

TEST(Reduce, OptionsMayFollowTheTerm) {
  const auto one = [](int) { return 1; };
  steelyard::loop_options kept;
  kept.schedule = "static";
  const auto& constant = kept;
  EXPECT_EQ(steelyard::parallel_reduce(0, 1000, 0, one, {.schedule = "idws", .always_parallel = true}), 1000);
  EXPECT_EQ(steelyard::parallel_reduce(0, 1000, 0, one, kept), 1000);
  EXPECT_EQ(steelyard::parallel_reduce(0, 1000, 0, one, constant), 1000);
}

TEST(Reduce, AnUnknownScheduleIsRefusedForNoTermsToo) {
  EXPECT_THROW(
      static_cast<void>(parallel_reduce(0, 0, 0, [](int i) { return i; }, std::plus<>{}, {.schedule = "best"})),
      std::invalid_argument);
}

TEST(Reduce, OverIterators) {
  pool three(3);
  std::vector<double> numbers(10'000);
  std::iota(numbers.begin(), numbers.end(), 0.0);
  const double sum = 9'999.0 * 10'000 / 2;
  EXPECT_EQ(parallel_reduce(numbers.begin(), numbers.end(), 0.0), sum);
  EXPECT_EQ(parallel_reduce(numbers.data(), numbers.data() + numbers.size(), 0.0, order::fixed), sum);
  EXPECT_EQ(parallel_reduce(numbers.begin(), numbers.end(), 0.0, {.on = &three, .always_parallel = true}), sum);
  EXPECT_EQ(parallel_reduce(numbers.begin(), numbers.end(), 0.0, [](double x) { return 2 * x; }), 2 * sum);
  EXPECT_EQ(parallel_reduce(numbers.end(), numbers.begin(), 7.0), 7.0) << "reversed";
  const auto larger = [](double a, double b) { return std::max(a, b); };
  EXPECT_EQ(parallel_reduce(numbers.begin(), numbers.end(), -1.0, std::identity{}, larger), 9'999.0);

  const std::vector<std::string> words = {"a", "bc", "", "def"};
  EXPECT_EQ(
      parallel_reduce(words.begin(), words.end(), std::string(), std::identity{}, std::plus<>{}, {}, order::fixed),
      "abcdef");
  EXPECT_EQ(parallel_reduce(words.begin(), words.end(), std::size_t{0}, &std::string::size), 6U);
}

/// Elements that a view makes go at once, and what a term returns may refer to them.
TEST(Reduce, ElementsThatAreMadeOnTheWay) {
  const std::vector<bool> some = {true, false, true, true};
  EXPECT_EQ(parallel_reduce(some.begin(), some.end(), 0), 3);
  const std::vector<int> numbers = {1, 2, 3, 4};
  const auto words = numbers | std::views::transform([](int x) { return std::string(40, static_cast<char>('0' + x)); });
  const auto all = parallel_reduce(words.begin(), words.end(), std::string(), order::fixed);
  EXPECT_EQ(all.size(), 160U);
  EXPECT_EQ(all.back(), '4');
  const auto itself = [](const std::string& word) -> const std::string& { return word; };
  EXPECT_EQ(parallel_reduce(words.begin(), words.end(), std::string(), itself, order::fixed), all);
  const auto counted = std::views::iota(std::size_t{0}, std::size_t{100});
  EXPECT_EQ(parallel_reduce(counted.begin(), counted.end(), std::size_t{0}), 4950U);
}

}  // namespace
