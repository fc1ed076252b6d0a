// SPDX-License-Identifier: Apache-2.0
#include "sync/patience.hpp"

#include <gtest/gtest.h>

namespace {

/// Doubled again and again it grows, however coarse the clock.
TEST(Patience, IsSome) { EXPECT_GE(steelyard::sync::patience(), 1U); }

TEST(Patience, IsMeasuredOnce) { EXPECT_EQ(steelyard::sync::patience(), steelyard::sync::patience()); }

}  // namespace
