// SPDX-License-Identifier: Apache-2.0
#include "remember/pages.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <utility>

namespace steelyard::remember {
namespace {

TEST(Pages, AreMemoryOfThatSize) {
  const pages some(5000);
  ASSERT_NE(some.get(), nullptr);
  EXPECT_EQ(some.size(), 5000U);
  std::memset(some.get(), 1, some.size());
}

TEST(Pages, AreNoneWhereThereIsNoMemory) {
  EXPECT_EQ(pages().get(), nullptr);
  EXPECT_EQ(pages(~std::size_t{0} / 2).get(), nullptr);
}

TEST(Pages, StayWhereTheyLieWhenTheyAreMoved) {
  pages one(100);
  char* const at = one.get();
  pages other(std::move(one));
  EXPECT_EQ(other.get(), at);
  pages third;
  third = std::move(other);
  EXPECT_EQ(third.get(), at);
  third.get()[99] = 'x';
}

}  // namespace
}  // namespace steelyard::remember
