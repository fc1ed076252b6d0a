// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

#include <gtest/gtest.h>

#include "cost/limit.hpp"
#include "rows.hpp"
#include "schedules/granule.hpp"
#include "simulator/replay.hpp"

/// Written chunks in virtual time: whoever takes or steals what, each runs whole and in order on one member.
namespace steelyard::simulator {
namespace {

using testing::costs_of;

constexpr std::uint32_t nobody = ~0U;

/// Who ran each iteration, and as its how manieth.
struct trace {
  std::uint32_t owner = nobody;
  std::uint64_t turn = 0;
};

std::vector<trace> traced(const outcome& found, const setup& of) {
  std::vector<trace> iterations(of.loop.iterations);
  std::vector<std::uint64_t> turns(of.loop.members);
  for (auto [at, who, what, took] : found.events) {
    while (what.what == schedules::step::kind::closed && what.count != 0) {
      const auto piece = schedules::take_front(what, std::max<std::uint64_t>(of.granule, 1), of.loop.iterations);
      for (auto i = piece.first; i < piece.first + piece.count; ++i) {
        EXPECT_EQ(iterations.at(i).owner, nobody) << "iteration " << i << " again";
        iterations.at(i) = {who, turns[who]++};
      }
    }
  }
  return iterations;
}

/// How many chunks did not run whole, in order, on one member. Iterations that did not run count as such.
std::uint64_t split(const std::vector<trace>& ran, std::uint64_t chunk) {
  std::uint64_t found = 0;
  for (std::uint64_t first = 0; first < ran.size(); first += chunk) {
    bool whole = ran[first].owner != nobody;
    for (auto i = first + 1; i < std::min<std::uint64_t>(first + chunk, ran.size()); ++i) {
      whole = whole && ran[i].owner == ran[i - 1].owner && ran[i].turn == ran[i - 1].turn + 1;
    }
    if (!whole) ++found;
  }
  return found;
}

/// The last 64th of the loop costs 200 times as much an iteration as the rest: there is much to steal.
std::vector<double> dense_end(std::uint64_t n) {
  std::vector<double> costs(n, 1);
  std::fill(costs.end() - static_cast<std::ptrdiff_t>(n / 64), costs.end(), 200);
  return costs;
}

setup chunked(std::uint64_t n, std::uint32_t members, std::uint64_t chunk, const std::vector<double>& sums) {
  setup given;
  given.loop = {n, members, 0, 1, {.contiguous = true, .all_arrive = true}};
  given.granule = chunk;
  given.sums = sums;
  given.cost = {1, 1, 5};
  given.keep_events = true;
  return given;
}

class written_chunks : public ::testing::TestWithParam<std::uint32_t> {};

TEST_P(written_chunks, are_split_by_no_schedule) {
  const auto members = GetParam();
  for (const std::uint64_t n : {5U, 1000U, 20'011U}) {
    const auto sums = cost::prefix_sums(dense_end(n));
    for (const auto& schedule : all()) {
      for (const std::uint64_t chunk : {2U, 64U, 1024U}) {
        for (const bool contiguous : {false, true}) {
          for (const bool open : {false, true}) {
            auto given = chunked(n, members, chunk, sums);
            given.loop.front_end.contiguous = contiguous;
            given.loop.front_end.open = open;
            const auto ran = traced(replay(schedule, given), given);
            EXPECT_EQ(split(ran, chunk), 0U) << schedule.about.name << " chunk " << chunk << " N " << n
                                             << " contiguous " << contiguous << " open " << open;
          }
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(members, written_chunks, ::testing::Values(2, 3, 8, 32, 128));

/// The test above can fail.
TEST(written_chunks_without_a_granule, are_split) {
  const std::uint64_t n = 20'011;
  const auto sums = cost::prefix_sums(dense_end(n));
  for (const auto& schedule : all()) {
    auto given = chunked(n, 8, 0, sums);
    EXPECT_GT(split(traced(replay(schedule, given), given), 64), 0U) << schedule.about.name;
  }
}

/// With whole chunks the shortest time is that of the loop of chunks; thieves reach it as they do without.
TEST(steal_in_whole_chunks, is_within_2_percent_of_the_limit_of_chunks) {
  constexpr std::uint64_t chunk = 64;
  for (const std::uint32_t members : {2U, 8U, 32U}) {
    for (const auto& row : testing::rows(members)) {
      std::vector<double> of_chunks((row.values.size() + chunk - 1) / chunk);
      for (std::size_t i = 0; i < row.values.size(); ++i) of_chunks[i / chunk] += row.values[i];
      const auto sums = cost::prefix_sums(row.values);
      auto given = chunked(row.values.size(), members, chunk, sums);
      given.cost = {};
      given.keep_events = false;
      const auto found = replay(*find("steal"), given);
      EXPECT_LE(found.makespan, 1.02 * cost::limit(of_chunks, members)) << row.name << " " << members;
    }
  }
}

}  // namespace
}  // namespace steelyard::simulator
