// SPDX-License-Identifier: Apache-2.0
#include "states.hpp"

#include <algorithm>

#include <gtest/gtest.h>

namespace {

auto count(const std::vector<int>& states, int state) { return std::count(states.begin(), states.end(), state); }

TEST(States, RegularIsAllTwo) { EXPECT_EQ(count(idws::states_of("regular", 1000, 2), 2), 1000); }

TEST(States, RandomIsUniform) {
  const auto states = idws::states_of("random", 40000, 2);
  for (int state = 0; state < 4; ++state) EXPECT_NEAR(static_cast<double>(count(states, state)), 10000, 500);
}

TEST(States, DenseEndHasAFifthOfThrees) {
  const auto states = idws::states_of("dense_end", 1000, 2);
  EXPECT_TRUE(std::all_of(states.end() - 200, states.end(), [](int state) { return state == 3; }));
  EXPECT_TRUE(std::all_of(states.begin() + 70, states.end() - 200, [](int state) { return state == 0; }));
  EXPECT_LT(count(states, 0), 730 + 70);
}

TEST(States, DenseBeginIsDenseEndMirrored) {
  auto states = idws::states_of("dense_begin", 1000, 2);
  std::reverse(states.begin(), states.end());
  EXPECT_EQ(states, idws::states_of("dense_end", 1000, 2));
}

TEST(States, PeriodicRepeats) { EXPECT_EQ(idws::states_of("periodic", 7, 3), (std::vector<int>{3, 0, 0, 3, 0, 0, 3})); }

TEST(States, OneState) { EXPECT_EQ(idws::states_of("1", 3, 2), (std::vector<int>{1, 1, 1})); }
TEST(States, UnknownIsEmpty) { EXPECT_TRUE(idws::states_of("flat", 10, 2).empty()); }

}  // namespace
