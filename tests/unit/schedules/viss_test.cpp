// SPDX-License-Identifier: Apache-2.0
#include "schedules/chunks/viss.hpp"

#include <cstdint>

#include "loop_run.hpp"

namespace steelyard::schedules::testing {
namespace {

TEST(viss, grows_by_half_as_much_with_each_batch_up_to_twice_the_first) {
  loop_run run("viss", {1 << 20, 8, 0, 0});
  const auto chunks = in_turn(run, everybody(8));
  constexpr std::uint64_t first = (1 << 20) / 64;
  std::uint64_t expected = first;
  for (std::size_t j = 0; 8 * j + 8 < chunks.size(); ++j) {
    EXPECT_EQ(chunks[8 * j].what.count, expected) << j;
    expected += first >> (j + 1);
  }
}

}  // namespace
}  // namespace steelyard::schedules::testing
