// SPDX-License-Identifier: Apache-2.0
#include "schedules/arithmetic.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>

namespace steelyard::schedules {
namespace {

void expect_exact(std::uint32_t n, std::uint32_t by) {
  const divisor d(by);
  ASSERT_EQ(d.quotient(n), n / by) << n << " / " << by;
  ASSERT_EQ(d.remainder(n), n % by) << n << " % " << by;
}

TEST(divisor, is_exact_at_the_edges) {
  constexpr std::uint32_t most = ~0U;
  for (const std::uint32_t by :
       {1U, 2U, 3U, 5U, 7U, 8U, 641U, 65535U, 65536U, 65537U, most / 2, most / 2 + 1, most - 1, most}) {
    for (const std::uint32_t n :
         {0U, 1U, by - 1, by, by + 1, 2 * by - 1, 2 * by, most / by * by - 1, most / by * by, most - 1, most})
      expect_exact(n, by);
  }
}

TEST(divisor, is_exact_for_any_pair) {
  std::mt19937 draw(1);
  for (int i = 0; i < 1'000'000; ++i) {
    const auto by = static_cast<std::uint32_t>(draw()) >> draw() % 32;
    expect_exact(static_cast<std::uint32_t>(draw()) >> draw() % 32, by != 0 ? by : 1);
  }
}

}  // namespace
}  // namespace steelyard::schedules
