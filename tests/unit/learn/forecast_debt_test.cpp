// SPDX-License-Identifier: Apache-2.0
#include "learn/forecast_debt.hpp"

#include <gtest/gtest.h>

namespace steelyard::learn {
namespace {

TEST(forecast_debt, the_first_is_paid_by_a_guess_for_each_member) {
  forecast_debt debt;
  debt.pay(19'999'999);
  EXPECT_FALSE(debt.is_paid(2));
  debt.pay(1);
  EXPECT_TRUE(debt.is_paid(2));
  EXPECT_FALSE(debt.is_paid(3));
}

TEST(forecast_debt, later_ones_are_paid_by_what_the_last_took) {
  forecast_debt debt;
  debt.add(10);
  debt.pay(999);
  EXPECT_FALSE(debt.is_paid(64));
  debt.pay(1);
  EXPECT_TRUE(debt.is_paid(64));
  debt.add(20);
  EXPECT_FALSE(debt.is_paid(1)) << "it was spent";
}

TEST(forecast_debt, one_is_paid_by_what_members_have_waited) {
  forecast_debt debt;
  debt.wait(1'000'000, 262'499);
  EXPECT_FALSE(debt.is_paid(2));
  debt.wait(0, 1);
  EXPECT_TRUE(debt.is_paid(2)) << "200,000 beyond a sixteenth";
  debt.add(100);
  EXPECT_FALSE(debt.is_paid(2)) << "it was spent";
  debt.wait(16'000, 1000);
  EXPECT_FALSE(debt.is_paid(2)) << "no schedule mends that";
  debt.wait(~std::uint64_t{0}, ~std::uint64_t{0});
  debt.wait(~std::uint64_t{0}, ~std::uint64_t{0});
  EXPECT_TRUE(debt.is_paid(2));
}

/// Loops of one place may differ much.
TEST(forecast_debt, one_that_took_longer_is_forgotten_slowly) {
  forecast_debt debt;
  debt.add(1000);
  debt.add(10);
  debt.pay(74'999);
  EXPECT_FALSE(debt.is_paid(2));
  debt.pay(1);
  EXPECT_TRUE(debt.is_paid(2));
}

TEST(forecast_debt, no_time_is_too_long) {
  forecast_debt debt;
  debt.pay(~std::uint64_t{0});
  debt.pay(~std::uint64_t{0});
  EXPECT_TRUE(debt.is_paid(1024));
}

}  // namespace
}  // namespace steelyard::learn
