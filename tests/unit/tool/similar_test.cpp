// SPDX-License-Identifier: Apache-2.0
#include "text/similar.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace steelyard::tool {
namespace {

const std::vector<std::string> commands = {"run", "compare", "cc", "schedules"};

TEST(Similar, TheNearestWordIsNamed) {
  EXPECT_EQ(did_you_mean("compar", commands), "; did you mean compare?");
  EXPECT_EQ(did_you_mean("shcedules", commands), "; did you mean schedules?");
  EXPECT_EQ(did_you_mean("rum", commands), "; did you mean run?");
}

TEST(Similar, AWordThatIsLikeNoneIsNot) {
  EXPECT_EQ(did_you_mean("balance", commands), "");
  EXPECT_EQ(did_you_mean("abc", commands), "");
  EXPECT_EQ(did_you_mean("", commands), "");
  EXPECT_EQ(did_you_mean("run", {}), "");
}

}  // namespace
}  // namespace steelyard::tool
