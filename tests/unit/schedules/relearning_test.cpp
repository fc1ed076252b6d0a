// SPDX-License-Identifier: Apache-2.0
#include "schedules/relearning.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace steelyard::schedules {
namespace {

std::vector<std::uint64_t> due(std::string_view text, std::uint64_t instances) {
  relearning found;
  EXPECT_TRUE(relearning::is_meant(text)) << text;
  EXPECT_TRUE(relearning::parse(text, found)) << text;
  EXPECT_FALSE(found.is_never());
  std::vector<std::uint64_t> all;
  for (std::uint64_t i = 1; i <= instances; ++i) {
    if (found.is_due(i)) all.push_back(i);
  }
  return all;
}

using numbers = std::vector<std::uint64_t>;

TEST(relearning, every_so_many_instances) {
  EXPECT_EQ(due("every:100", 350), (numbers{100, 200, 300}));
  EXPECT_EQ(due(" Every: 1 ", 3), (numbers{1, 2, 3}));
  EXPECT_EQ(due("every:9223372036854775807", 10), numbers{});
}

TEST(relearning, at_given_instances) {
  EXPECT_EQ(due("at:10,50", 100), (numbers{10, 50}));
  EXPECT_EQ(due("AT: 7 , 3", 10), (numbers{3, 7}));
  EXPECT_EQ(due("at:5", 10), numbers{5});
}

TEST(relearning, never_unless_it_is_asked_for) {
  EXPECT_TRUE(relearning{}.is_never());
  EXPECT_FALSE(relearning{}.is_due(0));
  EXPECT_FALSE(relearning{}.is_due(100));
}

TEST(relearning, numbers_are_whole_and_at_least_1) {
  for (const char* text :
       {"every:", "every:0", "every:-1", "every:1.5", "every:10,20", "every:ten", "every:9223372036854775808",
        "at:", "at:0", "at:10,", "at:,10", "at:10,,20", "at:10 20", "at:1e3"}) {
    relearning found;
    EXPECT_TRUE(relearning::is_meant(text)) << text;
    EXPECT_FALSE(relearning::parse(text, found)) << text;
    EXPECT_TRUE(found.is_never()) << text;
  }
  for (const char* text : {"", "every", "at", "50,50", "each:10"}) EXPECT_FALSE(relearning::is_meant(text)) << text;
}

}  // namespace
}  // namespace steelyard::schedules
