// SPDX-License-Identifier: Apache-2.0
#include "learn/history.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <set>

namespace steelyard::learn {
namespace {

TEST(History, IsKeptByPlace) {
  const int here = 0;
  const int there = 0;
  history* const of_here = history_of(&here);
  ASSERT_NE(of_here, nullptr);
  EXPECT_EQ(history_of(&here), of_here);
  EXPECT_NE(history_of(&there), of_here);
  of_here->took.took_alone(1024, 1024);
  EXPECT_EQ(history_of(&here)->took.alone(7), 7U);
  EXPECT_EQ(history_of(&there)->took.alone(7), 0U);
}

TEST(History, RunsTheOtherWayWhenItIsTime) {
  history of_small;
  const outlook small{10, 0, 0, 100, 100, 2};
  EXPECT_TRUE(judge(small).run.alone);
  int shared = 0;
  for (int loop = 0; loop < 15; ++loop) shared += of_small.next(small) == course::shared ? 1 : 0;
  EXPECT_EQ(shared, 4) << "after once what sharing costs";
  history of_near;
  const outlook near{1000, 1200, 500, 100, 100, 2};
  EXPECT_FALSE(judge(near).run.alone);
  int alone = 0;
  for (int loop = 0; loop < 1000; ++loop) {
    const auto found = of_near.next(near);
    ASSERT_NE(found, course::alone) << "is one that was tried";
    alone += found == course::tried_alone ? 1 : 0;
  }
  EXPECT_EQ(alone, 4 * 10) << "after once, twice, … 256 times what that costs, and 512 times";
}

TEST(History, NothingIsTriedOfWhatIsNotKnown) {
  history known;
  for (int loop = 0; loop < 1000; ++loop) {
    ASSERT_EQ(known.next({0, 0, 0, 100, 100, 2}), course::shared);
    ASSERT_EQ(known.next({0, 500, 0, 100, 100, 2}), course::alone);
  }
}

/// Fills the table of the process, so it stands last: places that come behind the last free history have none, and all others keep theirs.
TEST(History, AFullTableKeepsNone) {
  const auto places = std::make_unique<char[]>(4096);
  std::set<history*> found;
  int without = 0;
  for (int i = 0; i < 4096; ++i) {
    history* const of = history_of(&places[static_cast<std::size_t>(i)]);
    if (of == nullptr)
      ++without;
    else
      EXPECT_TRUE(found.insert(of).second) << i;
  }
  EXPECT_GT(without, 0);
  for (int i = 0; i < 4096; ++i) {
    if (history* const of = history_of(&places[static_cast<std::size_t>(i)]); of != nullptr) {
      EXPECT_EQ(found.count(of), 1U);
    }
  }
}

}  // namespace
}  // namespace steelyard::learn
