// SPDX-License-Identifier: Apache-2.0
#include "schedules/chunks/factoring.hpp"

#include <algorithm>

#include "loop_run.hpp"

namespace steelyard::schedules::testing {
namespace {

TEST(factoring, hands_out_batches_of_equal_chunks_that_halve_the_rest) {
  constexpr std::uint64_t n = 123'456'789;
  loop_run run("factoring", {n, 5, 0, 0});
  const auto chunks = in_turn(run, everybody(5));
  std::uint64_t rest = n;
  for (std::size_t k = 0; k < chunks.size(); ++k) {
    const auto batch_rest = n - chunks[k / 5 * 5].what.first;
    EXPECT_EQ(chunks[k].what.count, std::min((batch_rest + 9) / 10, rest)) << k;
    rest -= chunks[k].what.count;
  }
  EXPECT_EQ(rest, 0U);
}

/// One member, which takes half of the rest each time, comes closest to the 64 batches that there is room for.
TEST(factoring, has_room_for_the_batches_of_any_loop) {
  for (const std::uint64_t n : {~0ULL, ~0ULL - 1, 1ULL << 63}) {
    for (const std::uint32_t members : {1U, 17U}) {
      loop_run run("factoring", {n, members, 0, 0});
      const auto chunks = in_turn(run, everybody(members));
      EXPECT_TRUE(covers(chunks, n)) << "N " << n << " members " << members;
      if (members == 1) {
        EXPECT_EQ(chunks.size(), 64U) << "N " << n;
      }
    }
  }
}

}  // namespace
}  // namespace steelyard::schedules::testing
