// SPDX-License-Identifier: Apache-2.0
#include "check/progressions.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>
#include <optional>
#include <random>

namespace steelyard::tool::check {
namespace {

std::optional<std::uint64_t> by_hand(const progression& a, const progression& b) {
  for (std::uint64_t k = 0; k < a.count; ++k) {
    if (b.has(a.first + k * a.stride)) return a.first + k * a.stride;
  }
  return std::nullopt;
}

TEST(progressions, the_first_common_number) {
  std::mt19937_64 draw(1);
  for (int i = 0; i < 20'000; ++i) {
    const progression a{draw() % 50, 1 + draw() % 12, 1 + draw() % 20};
    const progression b{draw() % 50, 1 + draw() % 12, 1 + draw() % 20};
    ASSERT_EQ(first_common(a, b), by_hand(a, b)) << a.first << " " << a.stride << " " << b.first << " " << b.stride;
    ASSERT_EQ(first_common(a, b), first_common(b, a));
  }
}

TEST(progressions, as_long_as_can_be) {
  constexpr std::uint64_t most = ~std::uint64_t{0};
  EXPECT_EQ(first_common({0, 1, most}, {most - 1, 1, 1}), most - 1);
  EXPECT_EQ(first_common({0, 2, most / 2}, {1, 2, most / 2}), std::nullopt);
  EXPECT_EQ(first_common({0, most, 2}, {most - 1, 1, 2}), most);
  constexpr std::uint64_t large = (std::uint64_t{1} << 32) - 5;
  constexpr std::uint64_t other = (std::uint64_t{1} << 32) - 17;
  EXPECT_EQ(std::gcd(large, other), 1U);
  EXPECT_EQ(first_common({0, large, other}, {0, other, large}), 0U);
  EXPECT_EQ(first_common({large, large, other}, {other, other, large}), large * other);
}

TEST(progressions, inverses) {
  for (std::uint64_t m = 1; m < 60; ++m) {
    for (std::uint64_t a = 1; a < 60; ++a) {
      if (std::gcd(a, m) == 1) {
        EXPECT_EQ(a * inverse(a % m, m) % m, 1 % m) << a << " " << m;
      }
    }
  }
}

}  // namespace
}  // namespace steelyard::tool::check
