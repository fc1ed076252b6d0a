// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "cost/distributions.hpp"
#include "cost/limit.hpp"
#include "schedules/registry.hpp"
#include "schedules/work_sums.hpp"
#include "simulator/replay.hpp"

namespace steelyard::simulator {
namespace {

using schedules::member;
using schedules::step;

struct free_memory {
  void operator()(void* memory) const { std::free(memory); }
};

/// "The simulator equals the runtime": the real schedule, called in the order that the replay found, gives the same
/// chunks.
void expect_same(const schedules::operations& row, const setup& given) {
  const auto& real = *schedules::find(row.about.name);
  const std::unique_ptr<void, free_memory> state(std::aligned_alloc(support::line_size, real.bytes(given.loop)));
  real.open(state.get(), given.loop);
  std::uint64_t steals = 0;
  const auto found = replay(row, given);
  ASSERT_FALSE(found.events.empty());
  std::vector<event> ran(given.loop.members);
  for (const auto& event : found.events) {
    auto& last = ran[event.who];
    if (real.feedback != nullptr && real.feedback->always && last.what.count != 0)
      real.feedback->completed(state.get(), event.who, last.what, last.took);
    ASSERT_EQ(real.next(state.get(), event.who), event.what) << row.about.name << " at " << event.at;
    last = event;
  }
  for (member m = 0; m < given.loop.members; ++m) steals += real.counts(state.get(), m).steals;
  EXPECT_EQ(steals, found.steals);
}

TEST(same_as_real, every_schedule_on_uneven_costs) {
  constexpr std::size_t n = 20'000;
  const auto sums = cost::prefix_sums(cost::power_law(n));
  for (const auto& row : all()) {
    for (const std::uint32_t members : {1U, 2U, 7U, 64U}) {
      for (const bool contiguous : {false, true}) {
        for (const std::uint64_t chunk : {0U, 1U, 50U}) {
          expect_same(row, {{n, members, chunk, 42, {.contiguous = contiguous}}, sums, {0.7, 1.3}, {}, true});
        }
      }
    }
  }
}

TEST(same_as_real, every_schedule_that_knows_the_costs) {
  constexpr std::size_t n = 20'000;
  const auto costs = cost::power_law(n);
  const auto sums = cost::prefix_sums(costs);
  for (const auto& row : all()) {
    for (const std::uint32_t members : {2U, 7U, 64U}) {
      for (const bool contiguous : {false, true}) {
        const schedules::shape loop{n, members, 0, 42, {.contiguous = contiguous}};
        std::vector<double> memory(schedules::work_sums::size_for(loop));
        schedules::work_sums positions(memory);
        const auto with = positions.apply(loop, {cost::source::of(costs.data())});
        expect_same(row, {with, sums, {0.7, 1.3}, {}, true});
      }
    }
  }
}

TEST(same_as_real, with_members_that_never_come) {
  const auto sums = cost::prefix_sums(cost::idws::dense_end(5'000));
  const std::vector<member> arrivals{5, 2, 7};
  for (const auto& row : all()) expect_same(row, {{5'000, 9, 0, 1}, sums, {1, 0}, arrivals, true});
}

TEST(replay, lists_what_the_registry_lists) {
  ASSERT_EQ(all().size(), schedules::all().size());
  for (std::size_t i = 0; i < all().size(); ++i) EXPECT_STREQ(all()[i].about.name, schedules::all()[i].about.name);
  EXPECT_EQ(find("no"), nullptr);
}

/// Four iterations of 3 1 1 1, two members, dynamic: 0 runs the first, 1 the others, both until 3.
TEST(replay, keeps_virtual_time) {
  const auto sums = cost::prefix_sums(std::vector<double>{3, 1, 1, 1});
  const auto found = replay(*find("dynamic"), {{4, 2, 1, 0}, sums, {}, {}, true});
  EXPECT_EQ(found.makespan, 3);
  EXPECT_EQ(found.chunks, 4U);
  EXPECT_EQ(found.busy, (std::vector<double>{3, 3}));
  ASSERT_EQ(found.events.size(), 6U);
  EXPECT_EQ(found.events[3].who, 1U);
  EXPECT_EQ(found.events[3].at, 2);
  EXPECT_EQ(found.events[3].what, (step{3, 1, 1}));
  EXPECT_EQ(found.events[4].who, 0U);  // both call at 3, member 0 has waited longer
}

/// Each member calls three times or twice at 0.5; every counter access but the first finds the other's write when the
/// members alternate.
TEST(replay, charges_calls_and_transfers) {
  const auto sums = cost::prefix_sums(std::vector<double>(4, 1.0));
  const auto calls = replay(*find("dynamic"), {{4, 2, 1, 0}, sums, {0.5, 0}, {}, false});
  EXPECT_EQ(calls.makespan, 2 + 3 * 0.5);
  EXPECT_EQ(calls.accesses, 6U);
  EXPECT_EQ(calls.transfers, 5U);
  const auto both = replay(*find("dynamic"), {{4, 2, 1, 0}, sums, {0.5, 0.25}, {}, false});
  EXPECT_EQ(both.makespan, 2 + 3 * (0.5 + 0.25));
}

TEST(limit, is_the_greatest_of_its_three_bounds) {
  EXPECT_EQ(cost::limit({}, 4), 0);
  EXPECT_EQ(cost::limit(std::vector<double>{1, 1, 1, 1}, 2), 2);  // W/P
  EXPECT_EQ(cost::limit(std::vector<double>{1, 9, 1}, 2), 9);     // t_1
  EXPECT_EQ(cost::limit(std::vector<double>{5, 5, 5, 4}, 3), 9);  // t_3 + t_4
  EXPECT_EQ(cost::limit(std::vector<double>{3, 9}, 4), 9);        // more members than iterations
}

}  // namespace
}  // namespace steelyard::simulator
