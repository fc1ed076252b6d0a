// SPDX-License-Identifier: Apache-2.0
#include "learn/sketch.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <vector>

#include "learn/density.hpp"

namespace steelyard::learn {
namespace {

density drawn(double (*cost)(double)) {
  std::array<double, density::bins> costs;
  for (std::uint32_t bin = 0; bin < density::bins; ++bin) costs[bin] = cost((bin + 0.5) / density::bins);
  density known;
  known.set(costs.data());
  return known;
}

std::vector<double> ends_of(std::uint32_t blocks, double (*at)(double)) {
  std::vector<double> ends(blocks);
  for (std::uint32_t m = 0; m < blocks; ++m) ends[m] = at((m + 1.0) / blocks);
  return ends;
}

template <class Picture>
std::vector<double> parts_by(const Picture& of, const std::vector<double>& ends) {
  std::vector<double> parts(ends.size());
  of.parts(ends.data(), static_cast<std::uint32_t>(ends.size()), parts.data());
  return parts;
}

using function = double (*)(double);

constexpr function even = [](double) { return 1.0; };
constexpr function rising = [](double x) { return x; };
constexpr function dear_end = [](double x) { return x < 0.9 ? 1.0 : 50.0; };
constexpr function wave = [](double x) { return 2 + std::sin(20 * x); };
constexpr function evenly = [](double x) { return x; };
constexpr function early = [](double x) { return x * x; };

TEST(sketch, says_of_blocks_what_the_density_says) {
  for (const auto cost : {even, rising, dear_end, wave}) {
    const density known = drawn(cost);
    const sketch small(known);
    for (const auto at : {evenly, early}) {
      for (const std::uint32_t blocks : {1U, 2U, 3U, 7U, 32U, 128U}) {
        const auto ends = ends_of(blocks, at);
        const auto wanted = parts_by(known, ends);
        const auto got = parts_by(small, ends);
        for (std::uint32_t m = 0; m < blocks; ++m) EXPECT_NEAR(got[m], wanted[m], 0.005) << blocks << " " << m;
      }
    }
  }
}

TEST(sketch, parts_add_up_to_all) {
  const sketch small(drawn(dear_end));
  for (const std::uint32_t blocks : {1U, 5U, 128U, 512U}) {
    const auto parts = parts_by(small, ends_of(blocks, evenly));
    EXPECT_NEAR(std::accumulate(parts.begin(), parts.end(), 0.0), 1, 1e-9);
    EXPECT_GE(*std::min_element(parts.begin(), parts.end()), 0);
  }
}

TEST(sketch, keeps_a_single_dear_bin) {
  const sketch small(drawn([](double x) { return x > 0.5 && x < 0.5 + 1.0 / density::bins ? 1.0 : 1e-9; }));
  const auto parts = parts_by(small, ends_of(2, evenly));
  EXPECT_NEAR(parts[1], 1, 1e-3);
}

TEST(sketch, ends_may_meet_and_lie_at_the_edge) {
  const sketch small(drawn(even));
  const auto parts = parts_by(small, {0, 0.25, 0.25, 1, 1});
  const std::vector<double> wanted{0, 0.25, 0, 0.75, 0};
  for (std::size_t m = 0; m < wanted.size(); ++m) EXPECT_NEAR(parts[m], wanted[m], 1e-9) << m;
}

}  // namespace
}  // namespace steelyard::learn
