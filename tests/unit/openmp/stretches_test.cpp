// SPDX-License-Identifier: Apache-2.0
// What stretches of known times come to.
#include "openmp/team/stretches.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "sync/real.hpp"

namespace {

using steelyard::openmp::stretch_sums;
using region = steelyard::openmp::stretches<steelyard::sync::real>;

/// Each row the members' times of one stretch.
void end_all(region& of, std::uint32_t first, const std::vector<std::vector<std::uint64_t>>& rows) {
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      EXPECT_EQ(of.end(first, row[i], false, static_cast<std::uint32_t>(row.size())), i + 1 == row.size());
    }
    ++first;
  }
}

void expect_sums(const region& of, stretch_sums wanted) {
  EXPECT_EQ(of.found().count, wanted.count);
  EXPECT_EQ(of.found().busy, wanted.busy);
  EXPECT_EQ(of.found().span, wanted.span);
  EXPECT_EQ(of.found().avoidable, wanted.avoidable);
}

TEST(stretches, balanced) {
  region of;
  end_all(of, 0, {{7, 7, 7}});
  expect_sums(of, {1, 21, 21, 0});
}

TEST(stretches, a_triangle) {
  region of;
  end_all(of, 0, {{100, 300, 500, 700}});
  expect_sums(of, {1, 1600, 2800, 300});
}

TEST(stretches, members_that_are_late_in_turn_do_not_make_up_for_it) {
  region of;
  end_all(of, 0, {{100, 300}, {300, 100}});
  expect_sums(of, {2, 800, 1200, 200});
}

TEST(stretches, many_of_them) {
  region of;
  for (std::uint32_t k = 0; k < 1000; ++k) end_all(of, k, {{k, 2 * k, 0}});
  expect_sums(of, {1000, 3 * 499500, 6 * 499500, 499500});
}

TEST(stretches, a_member_may_come_late_to_one_while_others_end_the_next) {
  region of;
  EXPECT_FALSE(of.end(0, 10, false, 3));
  EXPECT_FALSE(of.end(0, 20, false, 3));
  EXPECT_FALSE(of.end(1, 60, false, 3));
  EXPECT_TRUE(of.end(0, 30, false, 3));
  EXPECT_FALSE(of.end(1, 60, false, 3));
  EXPECT_TRUE(of.end(1, 0, false, 3));
  expect_sums(of, {2, 60 + 120, 90 + 180, 10 + 20});
}

TEST(stretches, one_with_a_timed_loop_counts_there) {
  region of;
  EXPECT_FALSE(of.end(0, 10, true, 2));
  EXPECT_TRUE(of.end(0, 90, false, 2));
  end_all(of, 1, {{10, 30}});
  end_all(of, 2, {{10, 30}});
  expect_sums(of, {3, 80, 120, 20});
}

TEST(stretches, a_team_of_one) {
  region of;
  end_all(of, 0, {{5}, {6}});
  expect_sums(of, {2, 11, 11, 0});
}

TEST(stretches, what_cancel_leaves_open) {
  region of;
  end_all(of, 0, {{10, 30}});
  EXPECT_FALSE(of.end(1, 50, false, 2));
  of.finish();
  expect_sums(of, {2, 90, 110, 10});
  of.finish();
  expect_sums(of, {2, 90, 110, 10});
}

}  // namespace
