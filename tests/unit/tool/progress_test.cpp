// SPDX-License-Identifier: Apache-2.0
#include "measure/progress.hpp"

#include <gtest/gtest.h>

namespace steelyard::tool {
namespace {

using seconds = std::chrono::duration<double>;

TEST(progress, start_middle_and_end) {
  EXPECT_EQ(progress_line(0, 10, "warm-up", seconds(0)), "[..............................] 0/10 warm-up");
  EXPECT_EQ(progress_line(5, 10, "steal", seconds(20)), "[###############...............] 5/10 steal, 20 s left");
  EXPECT_EQ(progress_line(1, 100, "steal", seconds(60)), "[..............................] 1/100 steal, 99 min left");
  EXPECT_EQ(progress_line(10, 10, "limit", seconds(9)), "[##############################] 10/10 limit");
}

TEST(progress, a_log_gets_a_line_now_and_then) {
  log_times log;
  int lines = 0;
  for (int second = 0; second < 3600; ++second) lines += log.due(seconds(second)) ? 1 : 0;
  EXPECT_GT(lines, 10);
  EXPECT_LT(lines, 40);
  log_times quick;
  EXPECT_FALSE(quick.due(seconds(29)));
  EXPECT_TRUE(quick.due(seconds(31)));
  EXPECT_FALSE(quick.due(seconds(32)));
}

}  // namespace
}  // namespace steelyard::tool
