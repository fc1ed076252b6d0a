// SPDX-License-Identifier: Apache-2.0
#include "learn/chunk_bounds.hpp"

#include <gtest/gtest.h>

namespace steelyard::learn {
namespace {

TEST(ChunkBounds, OfIterationsThatNobodyKnows) {
  const auto bounds = chunk_bounds::of(1'000'000, 4, 0);
  EXPECT_EQ(bounds.grain, 1U);
  EXPECT_EQ(bounds.most_at_once, 976U) << "the 256th of a share";
}

TEST(ChunkBounds, AThousandTicksAreWorthHandingOut) {
  const auto bounds = chunk_bounds::of(1'000'000, 4, 10 * 1024);
  EXPECT_EQ(bounds.grain, 100U);
  EXPECT_EQ(bounds.most_at_once, 5000U) << "and 50,000 worth waiting for";
}

TEST(ChunkBounds, AShareIsNeverInFewerThan32Chunks) {
  const auto bounds = chunk_bounds::of(6400, 2, 1);
  EXPECT_EQ(bounds.grain, 100U);
  EXPECT_EQ(bounds.most_at_once, 51'200'000U);
}

TEST(ChunkBounds, LongIterationsGoOneByOne) {
  const auto bounds = chunk_bounds::of(100, 4, 1'000'000 * 1024ULL);
  EXPECT_EQ(bounds.grain, 1U);
  EXPECT_EQ(bounds.most_at_once, 1U);
}

}  // namespace
}  // namespace steelyard::learn
