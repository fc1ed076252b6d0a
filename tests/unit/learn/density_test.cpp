// SPDX-License-Identifier: Apache-2.0
#include "learn/density.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cfenv>
#include <cmath>
#include <functional>
#include <numeric>
#include <vector>

namespace steelyard::learn {
namespace {

/// The cost of what lies before a position, of all 1.
using spread = std::function<double(double)>;

const spread falling = [](double x) { return 1 - (1 - x) * (1 - x); };
const spread rising = [](double x) { return x * x; };
const spread dear_end = [](double x) { return x < 0.8 ? x / 8 : 0.1 + (x - 0.8) * 4.5; };

std::vector<double> parts_of(const spread& before, const std::vector<double>& ends) {
  std::vector<double> parts;
  for (std::size_t m = 0; m < ends.size(); ++m) parts.push_back(before(ends[m]) - (m != 0 ? before(ends[m - 1]) : 0));
  return parts;
}

std::vector<double> equal_ends(std::uint32_t blocks) {
  std::vector<double> ends(blocks);
  for (std::uint32_t m = 0; m < blocks; ++m) ends[m] = (m + 1.0) / blocks;
  return ends;
}

/// Longest block, in mean blocks.
double longest(const spread& before, const std::vector<double>& ends) {
  const auto parts = parts_of(before, ends);
  return *std::max_element(parts.begin(), parts.end()) * static_cast<double>(parts.size());
}

/// Programs may have the processor stop at what these flags stand for.
TEST(density, no_number_becomes_too_large_however_much_blocks_differ) {
  for (const double dear : {0.6, 0.9, 0.99, 0.999999, 1.0}) {
    for (const bool first : {false, true}) {
      const double ends[] = {0.5, 1};
      const double parts[] = {first ? dear : 1 - dear, first ? 1 - dear : dear};
      density found;
      std::feclearexcept(FE_ALL_EXCEPT);
      found.draw(ends, parts, 2);
      EXPECT_EQ(std::fetestexcept(FE_OVERFLOW | FE_UNDERFLOW | FE_DIVBYZERO | FE_INVALID), 0) << dear << first;
    }
  }
}

TEST(density, is_even_before_anything_is_known) {
  const density known;
  for (const std::uint32_t blocks : {1U, 2U, 3U, 7U, 64U, density::most_blocks}) {
    std::vector<double> ends(blocks);
    known.cut(blocks, ends.data());
    EXPECT_EQ(ends.back(), 1);
    for (std::uint32_t m = 0; m < blocks; ++m) EXPECT_NEAR(ends[m], (m + 1.0) / blocks, 1e-6);
  }
}

TEST(density, adds_up_to_one_in_whatever_blocks) {
  density known;
  const std::vector<double> ends{0.1, 0.1, 0.35, 0.9, 1};
  const std::vector<double> parts{0.5, 0, 0.2, 0.05, 0.25};
  known.fit(ends.data(), parts.data(), 5);
  std::vector<double> found(5);
  known.parts(ends.data(), 5, found.data());
  for (int m = 0; m < 5; ++m) EXPECT_NEAR(found[m], parts[m], 1.0 / density::bins) << m;
  const std::vector<double> others{0.2, 0.7, 1};
  known.parts(others.data(), 3, found.data());
  EXPECT_NEAR(found[0] + found[1] + found[2], 1, 1e-5);
}

TEST(density, knows_a_triangle_after_one_instance) {
  for (const spread& triangle : {falling, rising}) {
    for (const std::uint32_t members : {2U, 4U, 8U, 64U}) {
      density known;
      auto ends = equal_ends(members);
      known.draw(ends.data(), parts_of(triangle, ends).data(), members);
      known.cut(members, ends.data());
      EXPECT_LT(longest(triangle, ends), members < 64 ? 1.003 : 1.02) << members;
    }
  }
}

/// The vectors of the paper's adjoint convolution: b = 1 - sqrt(1 - s/p).
TEST(density, cuts_the_adjoint_convolution_as_the_paper) {
  for (const std::uint32_t members : {2U, 4U, 8U}) {
    density known;
    auto ends = equal_ends(members);
    known.draw(ends.data(), parts_of(falling, ends).data(), members);
    known.cut(members, ends.data());
    for (std::uint32_t s = 1; s <= members; ++s) {
      EXPECT_NEAR(ends[s - 1], 1 - std::sqrt(1 - static_cast<double>(s) / members), 0.002) << members << ' ' << s;
    }
  }
}

TEST(density, gets_finer_where_borders_move) {
  for (const std::uint32_t members : {2U, 4U, 8U}) {
    density known;
    auto ends = equal_ends(members);
    for (int instance = 0; instance < 12; ++instance) {
      const auto parts = parts_of(dear_end, ends);
      instance == 0 ? known.draw(ends.data(), parts.data(), members) : known.fit(ends.data(), parts.data(), members);
      known.cut(members, ends.data());
    }
    EXPECT_LT(longest(dear_end, ends), 1.02) << members;
  }
}

TEST(density, finds_costs_where_there_seemed_to_be_none) {
  density known;
  const auto ends = equal_ends(4);
  const std::vector<double> nothing_at_the_end{0.5, 0.5, 0, 0};
  known.fit(ends.data(), nothing_at_the_end.data(), 4);
  const std::vector<double> all_at_the_end{0, 0, 0, 1};
  known.fit(ends.data(), all_at_the_end.data(), 4);
  std::vector<double> found(4);
  known.parts(ends.data(), 4, found.data());
  EXPECT_GT(found[3], 0.999);
}

/// But within a bin, which has one cost only where it is fitted to one instance after the other.
TEST(density, fits_several_instances_as_it_does_one_after_the_other) {
  constexpr int rounds = 4;
  const std::vector<std::vector<double>> ends{{0.25, 0.5, 0.75, 1}, {0.5, 0.5, 0.9375, 1}, {0.125, 1}, {0.9375, 1, 1}};
  std::vector<std::vector<double>> parts;
  std::vector<density::finding> found;
  for (const auto& each : ends) parts.push_back(parts_of(dear_end, each));
  for (std::size_t i = 0; i < ends.size(); ++i) {
    found.push_back({ends[i].data(), parts[i].data(), static_cast<std::uint32_t>(ends[i].size())});
  }
  density together;
  density in_turn;
  together.fit(found, rounds, together);
  for (int round = 0; round < rounds; ++round) {
    for (const auto& each : found) in_turn.fit(each.ends, each.parts, each.blocks);
  }
  const auto all = equal_ends(density::bins);
  std::vector<double> one(density::bins);
  std::vector<double> other(density::bins);
  together.parts(all.data(), density::bins, one.data());
  in_turn.parts(all.data(), density::bins, other.data());
  for (std::uint32_t bin = 0; bin < density::bins; ++bin) EXPECT_NEAR(one[bin], other[bin], 1e-7) << bin;
  EXPECT_NE(one.front(), one.back());
}

/// A line through two blocks would fall below nothing here.
TEST(density, costs_that_rise_or_fall_steeply_are_drawn_so) {
  const spread steep = [](double x) { return (1 - std::exp(-6 * x)) / (1 - std::exp(-6.0)); };
  const spread steep_end = [&](double x) { return 1 - steep(1 - x); };
  for (const spread& costs : {steep, steep_end}) {
    const auto ends = equal_ends(2);
    const auto parts = parts_of(costs, ends);
    density known;
    known.draw(ends.data(), parts.data(), 2);
    std::vector<double> cut(2);
    known.cut(2, cut.data());
    EXPECT_LT(longest(costs, cut), 1.02);
  }
}

TEST(density, blocks_without_costs_or_without_length_can_be_drawn) {
  for (const std::vector<double>& ends : {std::vector<double>{0.5, 1}, {0, 1}, {1, 1}, {0.001, 0.001, 1}}) {
    for (const double first : {0.0, 1.0}) {
      std::vector<double> parts(ends.size(), 0.0);
      (first != 0 ? parts.front() : parts.back()) = 1;
      density known;
      known.draw(ends.data(), parts.data(), static_cast<std::uint32_t>(ends.size()));
      std::vector<double> cut(3);
      known.cut(3, cut.data());
      EXPECT_TRUE(std::is_sorted(cut.begin(), cut.end()));
      EXPECT_EQ(cut.back(), 1);
      EXPECT_GT(cut[0], 0);
    }
  }
}

}  // namespace
}  // namespace steelyard::learn
