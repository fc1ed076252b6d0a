// SPDX-License-Identifier: Apache-2.0
// What the contract promises of every schedule.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <iterator>
#include <limits>
#include <string>
#include <string_view>
#include <thread>

#include "loop_run.hpp"

namespace steelyard::schedules::testing {
namespace {

class every_schedule : public ::testing::TestWithParam<const char*> {
 protected:
  const operations& schedule = *find(GetParam());
};

constexpr std::uint64_t small_loops[] = {0, 1, 2, 3, 7, 1000};
constexpr std::uint64_t large_loops[] = {(1ULL << 31) - 1, 1ULL << 31, (1ULL << 31) + 1, 1ULL << 32, (1ULL << 63) - 1,
                                         (1ULL << 63) + 1, ~0ULL};

/// Whether a loop of any length has few chunks where the chunk parameter is left to the schedule.
bool few_by_default(const operations& schedule) {
  constexpr std::string_view names[] = {"static", "guided", "guided:libomp", "trapezoid", "trapezoid:real", "factoring",
                                        "tap",    "steal",  "wf2",           "awf",       "awf-b",          "awf-c",
                                        "awf-d",  "awf-e",  "pls",           "bold",      "binlpt"};
  return std::find(std::begin(names), std::end(names), schedule.about.name) != std::end(names);
}

std::vector<member> shuffled(std::uint32_t members, std::mt19937_64& draw) {
  auto order = everybody(members);
  std::shuffle(order.begin(), order.end(), draw);
  return order;
}

/// All chunks of interest: every one for tiny loops, for longer ones every small one and the edges.
std::vector<std::uint64_t> chunks_for(std::uint64_t n) {
  std::vector<std::uint64_t> chunks;
  for (std::uint64_t c = 0; c <= std::min<std::uint64_t>(n + 2, 66); ++c) chunks.push_back(c);
  if (n > 66) chunks.insert(chunks.end(), {n / 2, n - 1, n, n + 1, ~0ULL / 2, ~0ULL});
  return chunks;
}

TEST_P(every_schedule, hands_out_each_iteration_once) {
  std::mt19937_64 draw(1);
  for (const auto n : small_loops) {
    for (std::uint32_t members = 1; members <= 17; ++members) {
      for (const auto chunk : chunks_for(n)) {
        const shape loop{n, members, chunk, draw(), {.contiguous = (draw() & 1) != 0, .all_arrive = (draw() & 1) != 0}};
        loop_run run(schedule, loop);
        ASSERT_TRUE(covers(in_random_order(run, everybody(members), draw), n))
            << "N " << n << " members " << members << " chunk " << chunk << " contiguous " << loop.front_end.contiguous;
      }
    }
  }
}

/// Costs as they come: none, the same for all, a few that are most of the work, and some that are no costs at all.
std::vector<double> some_costs(std::uint64_t n, std::mt19937_64& draw) {
  constexpr double some[] = {0, 1, 1, 1, 2, 7, 1000, 1e300, -3, std::numeric_limits<double>::quiet_NaN()};
  const auto kinds = 1 + draw() % std::size(some);
  std::vector<double> costs(n);
  for (auto& cost : costs) cost = some[draw() % kinds];
  return costs;
}

TEST_P(every_schedule, hands_out_each_iteration_once_whatever_it_costs) {
  std::mt19937_64 draw(8);
  for (const auto n : small_loops) {
    for (std::uint32_t members = 1; members <= 17; ++members) {
      for (const std::uint64_t chunk : {0U, 1U, 2U, 5U, 64U}) {
        shape loop{n, members, chunk, draw(), {.contiguous = (draw() & 1) != 0, .all_arrive = (draw() & 1) != 0}};
        loop.experiment.least_left = static_cast<std::uint32_t>(draw() % 9);
        loop.experiment.halves = static_cast<halving>(draw() % 3);
        auto callers = shuffled(members, draw);
        if (!loop.front_end.all_arrive) callers.resize(1 + draw() % members);
        loop_run run(schedule, loop, some_costs(n, draw));
        ASSERT_TRUE(covers(in_random_order(run, callers, draw), n))
            << "N " << n << " members " << members << " chunk " << chunk << " contiguous " << loop.front_end.contiguous;
        for (member m = 0; m < members; ++m) EXPECT_EQ(run.remaining_work(m), 0);
      }
    }
  }
}

/// The contract: numbers that are no sums lose nothing. Beside them the largest double, so that differences overflow.
TEST_P(every_schedule, hands_out_each_iteration_once_with_numbers_that_are_no_sums) {
  std::mt19937_64 draw(9);
  constexpr double least = std::numeric_limits<double>::lowest();
  constexpr double some[] = {0, -1, 1, 1e-320, 1e308, least, HUGE_VAL, std::numeric_limits<double>::quiet_NaN()};
  for (int round = 0; round < 2000; ++round) {
    std::vector<double> sums(2000);  // more than positions with any deal below
    for (auto& sum : sums) sum = some[draw() % std::size(some)];
    const auto members = 1 + static_cast<std::uint32_t>(draw() % 17);
    shape loop{1 + draw() % 300, members, draw() % 9, draw(), {.contiguous = (draw() & 1) != 0}};
    loop.experiment.halves = static_cast<halving>(draw() % 3);
    loop.known.sums = sums.data();
    loop_run run(schedule, loop);
    ASSERT_TRUE(covers(in_random_order(run, shuffled(members, draw), draw), loop.iterations));
  }
}

TEST_P(every_schedule, hands_out_every_chunk_size_of_a_thousand) {
  std::mt19937_64 draw(2);
  for (std::uint64_t chunk = 1; chunk <= 1001; ++chunk) {
    const std::uint32_t members = 1 + static_cast<std::uint32_t>(draw() % 17);
    loop_run run(schedule, {1000, members, chunk, draw(), {.contiguous = (draw() & 1) != 0}});
    ASSERT_TRUE(covers(in_random_order(run, everybody(members), draw), 1000))
        << "members " << members << " chunk " << chunk;
  }
}

TEST_P(every_schedule, needs_no_member_but_one) {
  std::mt19937_64 draw(3);
  for (const auto n : small_loops) {
    for (std::uint32_t members = 1; members <= 17; ++members) {
      for (const std::uint64_t chunk : {0U, 1U, 5U, 64U}) {
        auto callers = shuffled(members, draw);
        callers.resize(1 + draw() % members);
        loop_run run(schedule, {n, members, chunk, draw(), {.contiguous = (draw() & 1) != 0}});
        ASSERT_TRUE(covers(in_random_order(run, callers, draw), n))
            << "N " << n << " members " << members << " chunk " << chunk << " callers " << callers.size();
        for (member m = 0; m < members; ++m) EXPECT_EQ(run.remaining(m), 0U);
      }
    }
  }
}

TEST_P(every_schedule, holds_loops_of_any_length) {
  std::mt19937_64 draw(4);
  for (const auto n : large_loops) {
    for (const std::uint32_t members : {1U, 2U, 3U, 16U, 17U}) {
      // About 2^12 chunks, at least 2^16 iterations each.
      std::vector<std::uint64_t> chunks{n / 4096, n / 4095 + 3, std::max<std::uint64_t>(n / 3, 1ULL << 16), n};
      if (few_by_default(schedule)) chunks.push_back(0);
      for (const auto chunk : chunks) {
        loop_run run(schedule, {n, members, chunk, draw(), {.contiguous = (draw() & 1) != 0}});
        ASSERT_TRUE(covers(in_random_order(run, shuffled(members, draw), draw), n))
            << "N " << n << " members " << members << " chunk " << chunk;
      }
    }
  }
}

TEST_P(every_schedule, holds_chunks_of_65536_in_loops_near_2_to_the_31) {
  std::mt19937_64 draw(5);
  for (const auto n : {(1ULL << 31) - 1, (1ULL << 31) + 1}) {
    for (const bool contiguous : {false, true}) {
      loop_run run(schedule, {n, 7, 1ULL << 16, 1, {.contiguous = contiguous}});
      ASSERT_TRUE(covers(in_random_order(run, shuffled(7, draw), draw), n)) << "N " << n;
    }
  }
}

TEST_P(every_schedule, accepts_the_largest_team) {
  std::mt19937_64 draw(6);
  for (const std::uint64_t n : {0ULL, 5ULL}) {
    loop_run run(schedule, {n, max_members, 1, 1, {.contiguous = true}});
    ASSERT_TRUE(covers(in_random_order(run, {max_members - 1, 0, 12'345}, draw), n)) << "N " << n;
  }
  for (const auto n : {1ULL << 20, (1ULL << 40) + 1, ~0ULL}) {
    loop_run run(schedule, {n, max_members, 1, 1, {.contiguous = true}});
    const auto apart = [&] {
      std::uint64_t sum = 0;
      for (member m = 0; m < max_members; ++m) sum += run.remaining(m);
      return sum;
    };
    const bool own_shares = run.remaining(0) < n;
    const auto before = own_shares ? apart() : run.remaining(0);
    EXPECT_EQ(before, n);
    std::uint64_t taken = 0;
    for (const member m : {0U, 1U, max_members - 1}) taken += run.next(m).count;
    EXPECT_GT(taken, 0U);
    // A schedule may have reserved more than it has handed out.
    EXPECT_LE(own_shares ? apart() : run.remaining(0), n - taken) << "N " << n;
  }
}

TEST_P(every_schedule, stays_done) {
  loop_run run(schedule, {1000, 3, 0, 1});
  while (!run.next(1).done()) {
  }
  for (int again = 0; again < 3; ++again) EXPECT_TRUE(run.next(1).done());
  EXPECT_TRUE(run.next(0).done());
  EXPECT_TRUE(run.next(2).done());
}

TEST_P(every_schedule, knows_what_remains) {
  loop_run run(schedule, {1000, 4, 10, 1, {.all_arrive = true}});
  std::uint64_t before = 0;
  for (member m = 0; m < 4; ++m) before += run.remaining(m);
  EXPECT_TRUE(before == 1000 || before == 4 * 1000) << before;  // own shares, or one that all have in common
  for (const member m : {2U, 0U, 3U, 1U}) {
    const auto first = run.next(m);
    EXPECT_GT(first.count, 0U) << m;
    std::uint64_t after = 0;
    for (member each = 0; each < 4; ++each) after += run.remaining(each);
    EXPECT_LE(after + first.count, before) << m;
    before = after;
  }
}

TEST_P(every_schedule, ascends_if_it_says_so) {
  std::mt19937_64 draw(7);
  for (const std::uint64_t chunk : {0U, 1U, 3U, 50U}) {
    loop_run run(schedule, {1000, 5, chunk, 1, {.all_arrive = true}});
    std::vector<std::uint64_t> beyond(5, 0);  // one past the last iteration that a member had
    bool ascending = true;
    for (const auto& [who, what] : in_random_order(run, everybody(5), draw)) {
      ascending = ascending && what.first >= beyond[who];
      beyond[who] = what.first + (what.count - 1) * what.stride + 1;
    }
    if (schedule.about.ascending) {
      EXPECT_TRUE(ascending) << "chunk " << chunk;
    }
  }
}

TEST_P(every_schedule, hands_out_each_iteration_once_to_real_threads) {
  constexpr std::uint64_t n = 20'000;
  std::mt19937_64 draw(10);
  for (const std::uint32_t members : {2U, 3U, 8U}) {
    for (const bool contiguous : {false, true}) {
      for (int round = 0; round < 6; ++round) {
        const shape loop{n, members, 1, static_cast<std::uint64_t>(round), {.contiguous = contiguous}};
        auto run = round % 2 == 0 ? loop_run(schedule, loop) : loop_run(schedule, loop, some_costs(n, draw));
        std::vector<std::atomic<int>> seen(n);
        std::atomic<std::uint32_t> waiting{members};
        std::vector<std::thread> threads;
        for (member m = 0; m < members; ++m) {
          threads.emplace_back([&, m] {
            --waiting;
            while (waiting != 0) std::this_thread::yield();
            for (auto what = run.next(m); !what.done(); what = run.next(m)) {
              for (std::uint64_t k = 0; k < what.count; ++k) {
                seen[what.first + k * what.stride].fetch_add(1, std::memory_order_relaxed);
              }
            }
          });
        }
        for (auto& thread : threads) thread.join();
        ASSERT_TRUE(std::all_of(seen.begin(), seen.end(), [](const auto& times) { return times == 1; }))
            << "members " << members << " contiguous " << contiguous << " round " << round;
      }
    }
  }
}

std::vector<const char*> names() {
  std::vector<const char*> all_names;
  for (const auto& row : all()) all_names.push_back(row.about.name);
  return all_names;
}

INSTANTIATE_TEST_SUITE_P(all, every_schedule, ::testing::ValuesIn(names()), [](const auto& row) {
  std::string name = row.param;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == ':' || c == '-'; }, '_');
  return name;
});

}  // namespace
}  // namespace steelyard::schedules::testing
