// SPDX-License-Identifier: Apache-2.0
#include "learn/fetches.hpp"

#include <gtest/gtest.h>

namespace steelyard::learn {
namespace {

using mechanism = fetches::mechanism;

TEST(fetches, before_any_was_measured_more_members_wait_longer) {
  const fetches known;
  EXPECT_EQ(known.of(mechanism::fixed, 2), 100U);
  EXPECT_EQ(known.of(mechanism::guided, 8), 400U);
}

TEST(fetches, are_known_by_mechanism_and_members) {
  fetches known;
  known.took(mechanism::fixed, 4, 30'000, 100);
  known.took(mechanism::fixed, 2, 9000, 100);
  EXPECT_EQ(known.of(mechanism::fixed, 4), 300U);
  EXPECT_EQ(known.of(mechanism::fixed, 7), 300U) << "about as many members";
  EXPECT_EQ(known.of(mechanism::fixed, 2), 90U);
  EXPECT_EQ(known.of(mechanism::guided, 4), 200U) << "a guess";
}

TEST(fetches, of_none_say_nothing) {
  fetches known;
  known.took(mechanism::fixed, 2, 0, 0);
  EXPECT_EQ(known.of(mechanism::fixed, 2), 100U);
}

}  // namespace
}  // namespace steelyard::learn
