// SPDX-License-Identifier: Apache-2.0
#include "learn/timing_debt.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>

namespace steelyard::learn {
namespace {

using kind = timing_debt::kind;

/// A program whose regions take what the test says, on a clock that is made up.
class program {
 public:
  explicit program(std::uint64_t price) : owed_(100 * price) {}

  /// One region of so many ticks, `part` of which are those of its loops.
  kind region(std::uint64_t took, double part = 1) {
    const auto in_loops = static_cast<std::uint64_t>(static_cast<double>(took) * part);
    const kind what = debt.begin();
    if (what == kind::looked_at) debt.looked(took);
    if (what == kind::timed) debt.timed(took, in_loops, owed_, false);
    timed += what == kind::timed;
    looked += what == kind::looked_at;
    loops += in_loops;
    return what;
  }
  /// How many until one is timed, that one included.
  int until_timed(std::uint64_t took, double part = 1) {
    int regions = 1;
    while (region(took, part) != kind::timed && regions < 1'000'000) ++regions;
    return regions;
  }

  timing_debt debt;
  std::uint64_t timed = 0, looked = 0;
  std::uint64_t loops = 0;  ///< ticks

 private:
  std::uint64_t owed_;
};

TEST(timing_debt, the_first_region_is_timed) {
  program of(100);
  EXPECT_EQ(of.region(1'000), kind::timed);
  EXPECT_NE(of.region(1'000), kind::timed);
}

TEST(timing_debt, those_that_begin_beside_a_timed_one_are_not_timed) {
  timing_debt debt;
  EXPECT_EQ(debt.begin(), kind::timed);
  for (int beside = 0; beside < 15; ++beside) EXPECT_EQ(debt.begin(), kind::passes) << beside;
  EXPECT_EQ(debt.begin(), kind::timed) << "the first one has learnt nothing";
  debt.timed(1'000, 1'000, 0, false);
  EXPECT_EQ(debt.begin(), kind::timed) << "nothing is owed";
}

TEST(timing_debt, timing_takes_a_hundredth) {
  constexpr std::uint64_t price = 30'000;
  for (const std::uint64_t took : {1'000U, 30'000U, 200'000U, 5'000'000U}) {
    for (const double part : {1.0, 0.1}) {
      program of(price);
      for (int i = 0; i < 200'000; ++i) of.region(took, part);
      // The last debt is not paid yet, and regions that are just about to begin count as if they had run.
      EXPECT_LE((of.timed - 1) * price, of.loops / 100 + of.loops / 500) << took << " " << part;
      EXPECT_GE((of.timed + 2) * price, of.loops / 250) << took << " " << part;
      EXPECT_LE(of.looked, 200'000U / 2);
    }
  }
}

TEST(timing_debt, short_regions_are_seldom_looked_at) {
  program of(30'000);
  for (int i = 0; i < 16'000; ++i) of.region(2'000);
  EXPECT_LE(of.looked, 16'000 / 16 + 100);
}

TEST(timing_debt, long_regions_are_all_timed) {
  program of(1'000);
  for (int i = 0; i < 10; ++i) EXPECT_EQ(of.region(100 * 1'000 * 2), kind::timed);
}

TEST(timing_debt, regions_that_become_long_pay_soon) {
  program of(30'000);
  of.until_timed(1'000);
  for (int i = 0; i < 50; ++i) of.region(1'000);
  EXPECT_LE(of.until_timed(500'000), 16 + 2 + 10) << "they pay it in six";
}

TEST(timing_debt, regions_that_become_short_do_not_pay_by_what_they_were) {
  program of(30'000);
  of.region(500'000);
  EXPECT_GT(of.until_timed(1'000), 2'000);
}

TEST(timing_debt, one_region_that_took_long_pays_for_none) {
  program of(30'000);
  of.until_timed(1'000);
  int regions = 0;
  while (of.region(++regions % 200 == 0 ? 50'000'000 : 1'000) != kind::timed) {
  }
  EXPECT_GT(regions, 1'000);
}

TEST(timing_debt, a_timed_region_without_its_cores_does_not_change_what_others_pay) {
  program of(30'000);
  for (int i = 0; i < 3; ++i) of.until_timed(200'000);
  of.until_timed(60'000'000, 0.001);
  of.until_timed(60'000'000, 0.001);
  EXPECT_LE(of.until_timed(200'000), 2 * 15 + 16);
}

TEST(timing_debt, what_is_on_credit_is_paid_later) {
  timing_debt debt;
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(debt.begin(), kind::timed);
    debt.timed(10'000, 10'000, 100'000, true);
  }
  EXPECT_EQ(debt.begin(), kind::timed);
  debt.timed(10'000, 10'000, 100'000, false);
  int regions = 1;
  for (kind what = debt.begin(); what != kind::timed; what = debt.begin(), ++regions) {
    if (what == kind::looked_at) debt.looked(10'000);
  }
  EXPECT_NEAR(regions, 50, 8);
}

TEST(timing_debt, regions_that_are_skipped_pay_as_others) {
  for (const std::uint32_t at_once : {1U, 16U, 256U}) {
    timing_debt debt;
    ASSERT_EQ(debt.begin(), kind::timed);
    debt.timed(1'000, 1'000, 2'000'000, false);
    int regions = 0;
    for (kind what = debt.begin(); what != kind::timed; what = debt.begin()) {
      if (what == kind::looked_at) debt.looked(1'000);
      regions += 1 + static_cast<int>(debt.skip(at_once));
    }
    EXPECT_NEAR(regions, 2'000, 40) << at_once;
  }
}

TEST(timing_debt, behind_regions_without_loops_so_many_go_by) {
  timing_debt debt;
  for (const int pause : {1, 3, 200}) {
    ASSERT_EQ(debt.begin(), kind::timed);
    debt.timed_in_vain(static_cast<std::uint64_t>(pause));
    for (int i = 0; i < pause; ++i) EXPECT_EQ(debt.begin(), kind::passes) << i;
  }
}

}  // namespace
}  // namespace steelyard::learn
