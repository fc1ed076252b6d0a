// SPDX-License-Identifier: Apache-2.0
#include "schedules/chunks/reweighted.hpp"

#include <cstdint>

#include "loop_run.hpp"

namespace steelyard::schedules::testing {
namespace {

/// One chunk each, of which an iteration takes so long.
void run_first(loop_run& run, std::uint64_t slow, std::uint64_t fast) {
  const auto one = run.next(0);
  const auto two = run.next(1);
  run.completed(0, one, {one.count * slow, 0});
  run.completed(1, two, {two.count * fast, 0});
}

TEST(reweighted, gives_the_faster_member_more) {
  for (const char* const name : {"awf-b", "awf-c", "awf-d", "awf-e"}) {
    loop_run run(name, {1'000'000, 2, 0, 0});
    run_first(run, 30, 10);
    const auto slow = run.next(0).count;
    const auto fast = run.next(1).count;
    EXPECT_NEAR(static_cast<double>(fast) / static_cast<double>(slow), 3, 0.8) << name;
  }
}

TEST(reweighted, by_batches_keeps_a_weight_within_a_batch) {
  loop_run run("awf-b", {1'000'000, 2, 0, 0});
  run_first(run, 30, 10);
  const auto once = run.next(0);
  run.completed(0, once, {once.count, 0});  // now it is fast
  EXPECT_EQ(run.next(0).count, once.count);
}

/// However slow a member looks, and however fast.
TEST(reweighted, has_weights_within_bounds) {
  for (const char* const name : {"awf-b", "awf-c"}) {
    loop_run run(name, {1'000'000, 2, 0, 0});
    run_first(run, ~0ULL / 1'000'000, 1);
    EXPECT_GE(run.next(0).count, 1'000'000U / 8 / 16) << name;
    EXPECT_LE(run.next(1).count, 1'000'000U / 2) << name;
  }
}

TEST(reweighted, knows_nothing_of_other_loops) {
  loop_run slow("awf-c", {1000, 2, 0, 0});
  loop_run other("awf-c", {1000, 2, 0, 0});
  run_first(slow, 30, 10);
  EXPECT_EQ(other.next(0).count, 250U);
}

}  // namespace
}  // namespace steelyard::schedules::testing
