// SPDX-License-Identifier: Apache-2.0
#include "schedules/chunks/bold.hpp"

#include "loop_run.hpp"

namespace steelyard::schedules::testing {
namespace {

constexpr std::uint64_t n = 1'000'000;

std::size_t chunks_with(double variation, double hand_over) {
  loop_record known;
  known.mean = 100;
  known.deviation = 100 * variation;
  known.hand_over = 100 * hand_over;
  shape loop{n, 16, 0, 0};
  loop.known.record = &known;
  loop_run run("bold", loop);
  const auto chunks = in_turn(run, everybody(16));
  EXPECT_TRUE(covers(chunks, n));
  return chunks.size();
}

TEST(bold, is_static_where_nothing_varies) { EXPECT_EQ(chunks_with(0, 10), 16U); }

TEST(bold, has_more_chunks_the_more_times_vary) {
  EXPECT_LT(chunks_with(0.25, 10), chunks_with(2, 10));
  EXPECT_LT(chunks_with(2, 10), chunks_with(16, 10));
}

TEST(bold, has_fewer_chunks_the_dearer_they_are) { EXPECT_GT(chunks_with(4, 0.1), chunks_with(4, 1000)); }

/// A member that comes back early shows that little is left to run elsewhere; one that comes late, too.
TEST(bold, does_not_hand_out_what_is_not_there) {
  loop_record known;
  known.mean = 1;
  known.deviation = 1;
  shape loop{n, 2, 0, 0};
  loop.known.record = &known;
  loop_run run("bold", loop);
  for (auto chunk = run.next(0); !chunk.done(); chunk = run.next(0)) {
    run.completed(0, chunk, {~0ULL / 4, 0});
    EXPECT_LE(chunk.count, n);
  }
  EXPECT_TRUE(run.next(1).done());
}

}  // namespace
}  // namespace steelyard::schedules::testing
