// SPDX-License-Identifier: Apache-2.0
#include "learn/reading_debt.hpp"

#include <gtest/gtest.h>

namespace steelyard::learn {
namespace {

TEST(ReadingDebt, TheFirstReadingIsFree) {
  reading_debt debt;
  EXPECT_TRUE(debt.is_paid_by(0));
  debt.add(1000);
  EXPECT_TRUE(debt.is_paid_by(0));
}

TEST(ReadingDebt, LoopsRun250TimesAsLongAsReadingTook) {
  reading_debt debt;
  debt.add(1000);
  debt.add(1000);
  EXPECT_FALSE(debt.is_paid_by(249'999));
  EXPECT_TRUE(debt.is_paid_by(250'000)) << "the loop that begins pays it";
  debt.pay(200'000);
  EXPECT_FALSE(debt.is_paid_by(49'999));
  EXPECT_TRUE(debt.is_paid_by(50'000));
}

TEST(ReadingDebt, MayBeginWithAGuess) {
  reading_debt debt;
  EXPECT_TRUE(debt.is_new());
  debt.begin(1000);
  EXPECT_FALSE(debt.is_new());
  EXPECT_FALSE(debt.is_paid_by(249'999));
  EXPECT_TRUE(debt.is_paid_by(250'000));
  debt.begin(5000);
  EXPECT_TRUE(debt.is_paid_by(250'000)) << "it has begun";
  debt.pay(250'000);
  debt.add(1);
  EXPECT_FALSE(debt.is_paid_by(249)) << "the first reading counts";
}

TEST(ReadingDebt, NobodyPaysAhead) {
  reading_debt debt;
  debt.add(1);
  debt.add(1);
  debt.pay(1'000'000);
  EXPECT_TRUE(debt.is_paid_by(0));
  debt.add(10);
  EXPECT_FALSE(debt.is_paid_by(2499));
  EXPECT_TRUE(debt.is_paid_by(2500));
}

TEST(ReadingDebt, ReadingsAddUp) {
  reading_debt debt;
  for (int reading = 0; reading < 4; ++reading) debt.add(100);
  EXPECT_FALSE(debt.is_paid_by(74'999));
  EXPECT_TRUE(debt.is_paid_by(75'000));
}

}  // namespace
}  // namespace steelyard::learn
