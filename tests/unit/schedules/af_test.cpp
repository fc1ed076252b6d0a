// SPDX-License-Identifier: Apache-2.0
#include "schedules/chunks/af.hpp"

#include <cstdint>

#include "loop_run.hpp"

namespace steelyard::schedules::testing {
namespace {

/// So many chunks of member m, of which an iteration takes so long; being handed one takes `fetch`.
void run_some(loop_run& run, member m, int chunks, std::uint64_t ticks, std::uint64_t fetch = 0) {
  for (int k = 0; k < chunks; ++k) {
    const auto chunk = run.next(m);
    run.completed(m, chunk, {chunk.count * ticks, fetch});
  }
}

TEST(af, begins_with_a_tenth_of_a_share) {
  loop_run run("af", {1'000'000, 4, 0, 0});
  EXPECT_EQ(run.next(0).count, 25'000U);
  EXPECT_EQ(run.next(3).count, 25'000U);
}

/// Times that do not vary leave each member its part of the rest by its speed.
TEST(af, learns_the_speed_of_each) {
  loop_run run("af", {1'000'000, 2, 0, 0});
  run_some(run, 0, 2, 10);
  run_some(run, 1, 2, 30);
  auto left = run.remaining(0);
  EXPECT_NEAR(static_cast<double>(run.next(0).count), 0.75 * static_cast<double>(left), 2);
  left = run.remaining(0);
  EXPECT_NEAR(static_cast<double>(run.next(1).count), 0.25 * static_cast<double>(left), 2);
}

/// However fast it looks: a loop whose iterations wait for each other would wait for those that get nothing.
TEST(af, leaves_something_to_the_others) {
  for (const char* const name : {"af", "maf", "pls"}) {
    loop_record known;
    known.mean = 1;
    known.members = 5;
    for (member m = 0; m < 5; ++m) known.of.at(m) = {m == 0 ? 1.0 : 1e9, 1000};
    shape loop{320, 5, 0, 0};
    loop.known.record = &known;
    loop_run run(name, loop);
    for (member m = 0; m < 5; ++m) EXPECT_GT(run.next(m).count, 0U) << name << ' ' << m;
  }
}

TEST(af, without_times_begins_as_before) {
  loop_run run("af", {1'000'000, 2, 0, 0});
  run_some(run, 0, 5, 0);
  EXPECT_EQ(run.next(0).count, 50'000U);
}

TEST(af, counts_fetching_only_as_maf) {
  for (const bool with_fetch : {false, true}) {
    loop_run run(with_fetch ? "maf" : "af", {1'000'000, 2, 0, 0});
    run_some(run, 0, 2, 10);
    run_some(run, 1, 2, 10, 500'000);  // as long as its iterations
    const auto left = static_cast<double>(run.remaining(0));
    EXPECT_NEAR(static_cast<double>(run.next(0).count), left / (with_fetch ? 1.5 : 2), 0.3 * left) << with_fetch;
  }
}

TEST(af, tells_a_record_of_the_members) {
  loop_run run("af", {1'000'000, 2, 0, 0});
  run_some(run, 0, 2, 10);
  run_some(run, 1, 2, 30);
  loop_record known;
  run.learnt(known);
  EXPECT_EQ(known.members, 2U);
  EXPECT_GT(known.mean, 10);
  shape loop{1'000'000, 2, 0, 0};
  loop.known.record = &known;
  loop_run next("af", loop);
  const auto slow = next.next(1).count;
  EXPECT_GT(next.next(0).count, 2 * slow);
}

}  // namespace
}  // namespace steelyard::schedules::testing
