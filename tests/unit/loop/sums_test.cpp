// SPDX-License-Identifier: Apache-2.0
#include "loop/sums.hpp"

#include <gtest/gtest.h>

namespace steelyard::loop {
namespace {

TEST(sums, are_of_all_members_whatever_line_they_add_to) {
  sums of(1000);
  for (std::uint32_t member = 0; member < 1000; ++member) {
    of.add(member, {.busy = 2, .steals = member % 2, .through = 0, .fetched = {10, 1}, .members = 0});
  }
  const auto all = of.all();
  EXPECT_EQ(all.busy, 2000U);
  EXPECT_EQ(all.steals, 500U);
  EXPECT_EQ(all.fetched.ticks, 10'000U);
  EXPECT_EQ(all.fetched.count, 1000U);
  EXPECT_EQ(all.members, 0U) << "nobody was asked when it was through";
}

TEST(sums, tell_how_many_were_through_and_when) {
  sums of(40);
  for (const std::uint32_t member : {0U, 17U, 39U}) {
    of.add(member, {.busy = 1, .steals = 0, .through = 100 + member, .fetched = {}, .members = 0});
  }
  const auto all = of.all();
  EXPECT_EQ(all.members, 3U);
  EXPECT_EQ(all.through, 356U);
  EXPECT_EQ(all.finished_in(200, 10, 3), 386U);
  EXPECT_EQ(all.finished_in(200, 10, 5), 786U) << "two never came";
  EXPECT_EQ(sums(40).all().finished_in(200, 10, 5), 0U) << "nobody was asked";
}

}  // namespace
}  // namespace steelyard::loop
