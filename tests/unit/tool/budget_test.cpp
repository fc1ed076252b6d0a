// SPDX-License-Identifier: Apache-2.0
#include "measure/budget.hpp"

#include <gtest/gtest.h>

namespace steelyard::tool {
namespace {

TEST(budget, durations) {
  EXPECT_EQ(parse_duration("90"), 90);
  EXPECT_EQ(parse_duration("90s"), 90);
  EXPECT_EQ(parse_duration("10m"), 600);
  EXPECT_EQ(parse_duration("1.5h"), 5400);
  for (const char* bad : {"", "m", "0", "-1m", "10 m", "10min", "nan", "inf", "1e999", "0x10"}) {
    EXPECT_FALSE(parse_duration(bad)) << bad;
  }
}

TEST(budget, without_one_rounds_are_counted) {
  const round_budget five{5, std::nullopt};
  EXPECT_TRUE(five.another(4, 1e9, 0));
  EXPECT_FALSE(five.another(5, 0, 0));
}

TEST(budget, rounds_while_the_next_one_fits) {
  const round_budget minute{1000, 60};
  EXPECT_TRUE(minute.another(0, 100, 100));  // at least one
  EXPECT_TRUE(minute.another(4, 45, 5));     // ten seconds each
  EXPECT_FALSE(minute.another(5, 55, 5));
  EXPECT_FALSE(minute.another(1000, 0, 0));
}

TEST(budget, looks_double) {
  for (unsigned rounds = 0; rounds < 200; ++rounds) {
    const bool look = rounds == 5 || rounds == 10 || rounds == 20 || rounds == 40 || rounds == 80 || rounds == 160;
    EXPECT_EQ(looks_after(rounds), look) << rounds;
  }
  EXPECT_EQ(looks_within(4), 0U);
  EXPECT_EQ(looks_within(5), 1U);
  EXPECT_EQ(looks_within(39), 3U);
  EXPECT_EQ(looks_within(40), 4U);
}

}  // namespace
}  // namespace steelyard::tool
