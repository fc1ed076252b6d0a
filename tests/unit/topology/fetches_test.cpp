// SPDX-License-Identifier: Apache-2.0
#include "topology/fetches.hpp"

#include <gtest/gtest.h>

#include <string>

namespace steelyard::topology {
namespace {

TEST(fetches, are_measured_for_one_two_four_threads) {
  const auto rows = calibrate_fetches(std::chrono::milliseconds(2));
  ASSERT_EQ(rows.size(), fetch_rows());
  ASSERT_GE(rows.size(), 2U);
  std::size_t threads = 1;
  for (std::size_t i = 0; i < rows.size(); i += 2, threads *= 2) {
    EXPECT_EQ(rows[i].name, "fetch_fixed_" + std::to_string(threads));
    EXPECT_EQ(rows[i + 1].name, "fetch_guided_" + std::to_string(threads));
  }
  EXPECT_EQ(rows[0].meaning, "fetch a chunk of a fixed size, 1 thread");
  ASSERT_TRUE(rows[0].took.has_value()) << "needs nobody else";
  EXPECT_GT(rows[0].took->median_ns, 0);
}

}  // namespace
}  // namespace steelyard::topology
