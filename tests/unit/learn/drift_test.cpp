// SPDX-License-Identifier: Apache-2.0
#include "learn/drift.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <random>

namespace steelyard::learn {
namespace {

TEST(drift, is_not_believed_before_several_instances_have_shown_it) {
  drift of;
  const std::array<double, 2> more{0.04, -0.04};
  EXPECT_FALSE(of.add(std::array{5.0, -5.0}.data(), 2, 0.005)) << "the first has another cut";
  for (std::uint32_t i = 1; i < drift::fewest; ++i) EXPECT_FALSE(of.add(more.data(), 2, 0.005));
  EXPECT_TRUE(of.add(more.data(), 2, 0.005));
  EXPECT_NEAR(of.mean(0), 0.04, 1e-6);
  EXPECT_NEAR(of.mean(1), -0.04, 1e-6);
  of.forget();
  EXPECT_FALSE(of.add(more.data(), 2, 0.005));
}

TEST(drift, what_is_negligible_is_none) {
  drift of;
  const std::array<double, 3> little{0.0049, -0.002, -0.0029};
  for (int i = 0; i < 100; ++i) EXPECT_FALSE(of.add(little.data(), 3, 0));
}

TEST(drift, of_another_team_is_another) {
  drift of;
  const std::array<double, 4> more{0.04, -0.04, 0.04, -0.04};
  for (int i = 0; i < 20; ++i) EXPECT_FALSE(of.add(more.data(), i % 2 == 0 ? 2 : 4, 0.005)) << i;
}

/// Of deviations as large as noise is said to be.
TEST(drift, noise_is_none) {
  std::mt19937 dice{3};
  std::normal_distribution<double> gauss;
  for (const double noise : {0.005, 0.02, 0.1}) {
    int seen = 0;
    for (int round = 0; round < 1'000; ++round) {
      drift of;
      for (int i = 0; i < 20; ++i) {
        const double one = noise * gauss(dice);
        const std::array<double, 2> differences{one, -one};
        if (of.add(differences.data(), 2, noise)) ++seen;
      }
    }
    EXPECT_LT(seen, 20'000 / 50) << noise;
  }
}

/// A twentieth, in noise that is as large.
TEST(drift, is_found_behind_noise) {
  std::mt19937 dice{5};
  std::normal_distribution<double> gauss;
  int slow = 0;
  for (int round = 0; round < 1'000; ++round) {
    drift of;
    int needed = 1;
    const auto differences = [&] {
      const double one = 0.05 + 0.03 * gauss(dice);
      return std::array<double, 2>{one, -one};
    };
    while (needed < 100 && !of.add(differences().data(), 2, 0.03)) ++needed;
    if (needed > 16) ++slow;
  }
  EXPECT_LT(slow, 50);
}

}  // namespace
}  // namespace steelyard::learn
