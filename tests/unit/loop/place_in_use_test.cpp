// SPDX-License-Identifier: Apache-2.0
#include "loop/place_in_use.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace steelyard::loop {
namespace {

/// Stand for code.
const char bodies[2] = {};

std::vector<const void*> free_places() {
  std::vector<const void*> found;
  each_free_place([&](const place& at) { found.push_back(at.key); });
  return found;
}

std::ptrdiff_t times_free(const void* key) {
  const auto found = free_places();
  return std::count(found.begin(), found.end(), key);
}

TEST(PlaceInUse, IsUsedByOneLoopAtATime) {
  const place_in_use one(&bodies[0]);
  ASSERT_NE(one.get(), nullptr);
  EXPECT_EQ(one.get()->key, &bodies[0]);
  EXPECT_EQ(place_in_use(&bodies[0]).get(), nullptr);
  EXPECT_NE(place_in_use(&bodies[1]).get(), nullptr);
}

TEST(PlaceInUse, KeepsWhatItKnows) {
  const place* first = nullptr;
  {
    const place_in_use one(&bodies[0]);
    first = one.get();
    one.get()->loops = 7;
  }
  const place_in_use again(&bodies[0]);
  EXPECT_EQ(again.get(), first);
  EXPECT_EQ(again.get()->loops, 7U);
}

TEST(PlaceInUse, PlacesThatLoopsUseAreLeftOut) {
  { const place_in_use other(&bodies[1]); }
  {
    const place_in_use one(&bodies[0]);
    EXPECT_EQ(times_free(&bodies[0]), 0);
    EXPECT_EQ(times_free(&bodies[1]), 1);
  }
  EXPECT_EQ(times_free(&bodies[0]), 1);
}

TEST(PlaceInUse, WhoLooksAtAFreePlaceUsesIt) {
  { const place_in_use one(&bodies[0]); }
  each_free_place([](const place& at) { EXPECT_EQ(place_in_use(at.key).get(), nullptr); });
  EXPECT_NE(place_in_use(&bodies[0]).get(), nullptr);
}

}  // namespace
}  // namespace steelyard::loop
