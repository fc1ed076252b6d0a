// SPDX-License-Identifier: Apache-2.0
#include "runtime/lineage.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <initializer_list>
#include <vector>

namespace {

using steelyard::runtime::lineage;

std::array<int, 32> things;

std::vector<int> roots_of(const lineage& of) {
  std::vector<int> numbers;
  for (const auto* root = of.roots.begin(); root != of.end(); ++root) {
    numbers.push_back(static_cast<int>(static_cast<const int*>(*root) - things.data()));
  }
  return numbers;
}

lineage made_of(std::initializer_list<int> numbers) {
  lineage made;
  std::size_t i = 0;
  for (const int number : numbers) made.roots.at(i++) = &things.at(static_cast<std::size_t>(number));
  return made;
}

TEST(Lineage, AForkDescendsFromItselfAndFromAllAboveIt) {
  EXPECT_EQ(roots_of(lineage::of_fork(&things[3], {})), (std::vector{3}));
  EXPECT_EQ(roots_of(lineage::of_fork(&things[3], made_of({2, 1}))), (std::vector{3, 2, 1}));
}

TEST(Lineage, TheFarthestIsForgotten) {
  lineage chain;
  for (int i = 0; i < 20; ++i) chain = lineage::of_fork(&things.at(static_cast<std::size_t>(i)), chain);
  const auto roots = roots_of(chain);
  ASSERT_EQ(roots.size(), lineage::most);
  EXPECT_EQ(roots.front(), 19);
  EXPECT_EQ(roots.back(), 20 - static_cast<int>(lineage::most));
}

TEST(Lineage, AGroupFromElsewhereStandsAlone) {
  EXPECT_EQ(roots_of(lineage::of_member(&things[3], made_of({2, 1}))), (std::vector{3}));
}

TEST(Lineage, AGroupAmongTheRootsKeepsWhatIsAboveIt) {
  EXPECT_EQ(roots_of(lineage::of_member(&things[2], made_of({3, 2, 1}))), (std::vector{2, 1}));
}

TEST(Lineage, AGroupThatWasMadeThereHasAllAboveIt) {
  auto by = made_of({2, 1});
  by.frames = {reinterpret_cast<std::uintptr_t>(&things[3]), reinterpret_cast<std::uintptr_t>(&things[4])};
  EXPECT_EQ(roots_of(lineage::of_member(&things[3], by)), (std::vector{3, 2, 1}));
  EXPECT_EQ(roots_of(lineage::of_member(&things[4], by)), (std::vector{4})) << "its end does not belong to it";
  EXPECT_EQ(roots_of(lineage::of_member(&things[2], by)), (std::vector{2, 1})) << "below it";
}

}  // namespace
