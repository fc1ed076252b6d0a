// SPDX-License-Identifier: Apache-2.0
#include "learn/chunk_choice.hpp"

#include <gtest/gtest.h>

namespace steelyard::learn {
namespace {

TEST(chunk_choice, fetches_take_a_twentieth_of_the_iterations) {
  // lbm on the machine of the paper: 3 ns an iteration, 120 ns a fetch at 8 threads, which it says is a chunk of 40.
  EXPECT_EQ(chunk_choice::of(26'000'000, 8, 3 * 1024, 120), 800U) << "twenty times as many";
}

TEST(chunk_choice, a_member_has_sixteen_chunks) {
  EXPECT_EQ(chunk_choice::of(1600, 4, 1024, 1000), 25U);
  EXPECT_EQ(chunk_choice::of(10, 4, 1024, 1000), 1U);
}

TEST(chunk_choice, long_iterations_go_one_by_one) { EXPECT_EQ(chunk_choice::of(1000, 4, 1 << 30, 100), 1U); }

TEST(chunk_choice, of_iterations_that_nobody_knows) { EXPECT_EQ(chunk_choice::of(100'000, 4, 0, 100), 1U); }

}  // namespace
}  // namespace steelyard::learn
