// SPDX-License-Identifier: Apache-2.0
#include "costs.hpp"

#include <numeric>

#include <gtest/gtest.h>

namespace jit {
namespace {

constexpr std::size_t n = 1024;

double mean(const std::vector<double>& costs) {
  return std::accumulate(costs.begin(), costs.end(), 0.0) / static_cast<double>(costs.size());
}

TEST(jit_costs, have_the_means_that_the_paper_measured) {
  EXPECT_NEAR(mean(costs_of("matmul", n, 0)), 26786087 / 3.4, 1e-3);
  EXPECT_NEAR(mean(costs_of("adjoint", n, 0)), 9346 / 3.4, 1e-6);
  double sum = 0;
  constexpr int loops = 10000;
  for (int i = 0; i < loops; ++i) sum += mean(costs_of("gauss-jordan", n, (i + 0.5) / loops));
  EXPECT_NEAR(sum / loops, 1936474 / 3.4, 1);
}

TEST(jit_costs, of_adjoint_fall_to_an_nth_and_rise_when_reversed) {
  const auto falling = costs_of("adjoint", n, 0);
  EXPECT_NEAR(falling.front() / falling.back(), n, 1e-9);
  const auto rising = costs_of("adjoint-increasing", n, 0);
  EXPECT_TRUE(std::equal(falling.begin(), falling.end(), rising.rbegin(), rising.rend()));
}

TEST(jit_costs, of_gauss_jordan_go_from_a_rectangle_to_a_triangle) {
  const auto first = costs_of("gauss-jordan", n, 0);
  EXPECT_EQ(first.front(), first.back());
  const auto last = costs_of("gauss-jordan", n, 1);
  EXPECT_NEAR(last.back() / last.front(), 0, 1e-3);
  const auto half = costs_of("gauss-jordan", n, 0.5);
  EXPECT_NEAR(half[n - 1] + half[0], 2 * half[n / 2], half[0] / n * 2) << "steadily";
}

TEST(jit_costs, of_an_unknown_kernel_are_none) { EXPECT_TRUE(costs_of("sor", n, 0).empty()); }

}  // namespace
}  // namespace jit
