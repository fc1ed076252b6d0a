// SPDX-License-Identifier: Apache-2.0
#include "sync/average.hpp"

#include <gtest/gtest.h>

namespace steelyard::sync {
namespace {

TEST(Average, BeginsWithTheFirst) {
  average known;
  EXPECT_EQ(known.get(), 0U);
  known.add(0);
  EXPECT_EQ(known.get(), 1U) << "0 stands for nothing";
  known.restart(800);
  EXPECT_EQ(known.get(), 800U);
}

TEST(Average, LeansToTheShort) {
  average known;
  known.add(800);
  known.add(400);
  EXPECT_EQ(known.get(), 600U);
  known.add(1400);
  EXPECT_EQ(known.get(), 700U);
}

TEST(Average, BelievesWhatIsFarShorterAndNoOutlier) {
  average known;
  known.add(1'000'000);
  known.add(1000);
  EXPECT_EQ(known.get(), 1000U);
  known.add(1'000'000'000);
  EXPECT_EQ(known.get(), 1375U) << "as four times the average at most, which counts an eighth";
}

}  // namespace
}  // namespace steelyard::sync
