// SPDX-License-Identifier: Apache-2.0
// kmp::bounds_of and countable for each counter type, against loops that are simply run and against 128-bit arithmetic.
#include "openmp/kmp/bounds.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

namespace {

using namespace steelyard::openmp;
using wide = __int128;

/// Iterations of `lower … upper` inclusive; up to 2^64 of them.
wide trips(wide lower, wide upper, wide step) {
  if (step > 0 ? lower > upper : lower < upper) return 0;
  return step > 0 ? (upper - lower) / step + 1 : (lower - upper) / -step + 1;
}

template <class T>
constexpr T lowest = std::numeric_limits<T>::min();
template <class T>
constexpr T highest = std::numeric_limits<T>::max();

/// The edges of a type and of its signed form, and some between.
template <class T>
std::vector<T> edges() {
  constexpr T middle = highest<T> / 2;
  std::vector<T> values{lowest<T>,  lowest<T> + 1, lowest<T> / 2,  0,         1, 2, 7, middle - 1, middle,
                        middle + 1, middle + 2,    highest<T> - 1, highest<T>};
  for (const int below : {-3, -1}) values.push_back(static_cast<T>(below));
  return values;
}

template <class S>
std::vector<S> steps() {
  return {lowest<S>, lowest<S> + 1,  lowest<S> / 2,      -1000,          -7,        -2, -1, 1, 2, 3,
          1000,      highest<S> / 3, highest<S> / 2 + 1, highest<S> - 1, highest<S>};
}

template <class T>
std::string shown(T lower, T upper, std::make_signed_t<T> step) {
  return std::to_string(lower) + " … " + std::to_string(upper) + " by " + std::to_string(step);
}

template <class T>
class KmpBounds : public ::testing::Test {};

struct type_names {
  template <class T>
  static std::string GetName(int) {
    return std::string(std::is_signed_v<T> ? "i" : "u") + std::to_string(8 * sizeof(T));
  }
};
using counters = ::testing::Types<std::int32_t, std::uint32_t, std::int64_t, std::uint64_t>;
TYPED_TEST_SUITE(KmpBounds, counters, type_names);

TYPED_TEST(KmpBounds, CountSmallLoopsAsTheyRun) {
  using T = TypeParam;
  using S = std::make_signed_t<T>;
  constexpr int base = std::is_signed_v<T> ? 0 : 100;
  for (int lower = base - 9; lower <= base + 9; ++lower) {
    for (int upper = base - 9; upper <= base + 9; ++upper) {
      for (int step = -5; step <= 5; ++step) {
        if (step == 0) continue;
        std::uint64_t ran = 0;
        for (int i = lower; step > 0 ? i <= upper : i >= upper; i += step) ++ran;
        const auto from = static_cast<T>(lower);
        const auto to = static_cast<T>(upper);
        const bounds loop = kmp::bounds_of<T>(from, to, static_cast<S>(step));
        ASSERT_EQ(loop.iterations, ran) << lower << ' ' << upper << ' ' << step;
        ASSERT_TRUE(kmp::countable<T>(loop, from, to, static_cast<S>(step)));
        ASSERT_FALSE(loop.last_alone);
        for (std::uint64_t k = 0; k < ran; ++k) {
          ASSERT_EQ(static_cast<T>(loop.start + k * loop.increment),
                    static_cast<T>(lower + static_cast<int>(k) * step));
        }
      }
    }
  }
}

TYPED_TEST(KmpBounds, CountLoopsOfExtremeValues) {
  using T = TypeParam;
  for (const T lower : edges<T>()) {
    for (const T upper : edges<T>()) {
      for (const auto step : steps<std::make_signed_t<T>>()) {
        const wide wanted = trips(lower, upper, step);
        const bounds loop = kmp::bounds_of<T>(lower, upper, step);
        const bool fits = wanted >> 64 == 0;
        ASSERT_EQ(kmp::countable<T>(loop, lower, upper, step), fits) << shown<T>(lower, upper, step);
        if (!fits || wanted == 0) {
          ASSERT_EQ(loop.iterations, 0U) << shown<T>(lower, upper, step);
          continue;
        }
        ASSERT_EQ(loop.iterations, static_cast<std::uint64_t>(wanted)) << shown<T>(lower, upper, step);
        ASSERT_EQ(static_cast<T>(loop.start), lower);
        ASSERT_EQ(static_cast<T>(loop.start + (loop.iterations - 1) * loop.increment),
                  static_cast<T>(static_cast<wide>(lower) + (wanted - 1) * step))
            << shown<T>(lower, upper, step);
      }
    }
  }
}

TYPED_TEST(KmpBounds, OnlyTheWholeRangeOfTheWidestTypesIsTooLong) {
  using T = TypeParam;
  constexpr T low = lowest<T>;
  constexpr T high = highest<T>;
  const bool narrow = sizeof(T) < 8;
  EXPECT_EQ(kmp::countable<T>(kmp::bounds_of<T>(low, high, 1), low, high, 1), narrow);
  EXPECT_EQ(kmp::countable<T>(kmp::bounds_of<T>(high, low, -1), high, low, -1), narrow);
  EXPECT_TRUE(kmp::countable<T>(kmp::bounds_of<T>(low, high - 1, 1), low, high - 1, 1));
  EXPECT_TRUE(kmp::countable<T>(kmp::bounds_of<T>(low, high, 2), low, high, 2));
  EXPECT_EQ(kmp::bounds_of<T>(low, high, 1).iterations, narrow ? std::uint64_t{1} << 32 : 0);
}

}  // namespace
