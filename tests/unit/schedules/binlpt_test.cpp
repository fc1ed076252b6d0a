// SPDX-License-Identifier: Apache-2.0
#include "schedules/binlpt.hpp"

#include <algorithm>
#include <memory>
#include <numeric>

#include "loop_run.hpp"
#include "schedules/profile.hpp"

namespace steelyard::schedules::testing {
namespace {

double sum_of(const std::vector<double>& costs, const step& of) {
  const auto first = costs.begin() + static_cast<std::ptrdiff_t>(of.first);
  return std::accumulate(first, first + static_cast<std::ptrdiff_t>(of.count), 0.0);
}

/// In the loop's order.
std::vector<step> chunks_of(const shape& loop, const std::vector<double>& costs) {
  loop_run run("binlpt", loop, costs);
  std::vector<step> chunks;
  for (const auto& [who, what] : in_turn(run, everybody(loop.members))) chunks.push_back(what);
  std::sort(chunks.begin(), chunks.end(), [](const step& a, const step& b) { return a.first < b.first; });
  return chunks;
}

/// The most that a member has been dealt.
double dealt_most(const loop_run& run, std::uint32_t members) {
  double most = 0;
  for (member m = 0; m < members; ++m) most = std::max(most, run.remaining_work(m));
  return most;
}

/// The least time that these can take, whoever runs which.
double least_time(const std::vector<double>& works, std::size_t from, std::vector<double>& loads) {
  if (from == works.size()) return *std::max_element(loads.begin(), loads.end());
  double least = std::numeric_limits<double>::max();
  for (auto& load : loads) {
    load += works[from];
    least = std::min(least, least_time(works, from + 1, loads));
    load -= works[from];
  }
  return least;
}

std::vector<double> drawn(std::uint64_t n, std::mt19937_64& draw) {
  std::vector<double> costs(n);
  for (auto& cost : costs) cost = static_cast<double>(draw() % 8 == 0 ? 20 + draw() % 50 : draw() % 6);
  costs.back() += 1;
  return costs;
}

TEST(binlpt, ends_a_chunk_where_it_has_the_kth_part_of_the_work) {
  std::mt19937_64 draw(1);
  for (int round = 0; round < 300; ++round) {
    const auto n = 1 + draw() % 300;
    const auto costs = drawn(n, draw);
    const shape loop{n, 1 + static_cast<std::uint32_t>(draw() % 9), 1 + draw() % 20, 0, {.contiguous = round % 2 == 0}};
    const auto k = ceil_div(n, loop.chunk);
    const double full = std::accumulate(costs.begin(), costs.end(), 0.0) / static_cast<double>(k);
    const auto chunks = chunks_of(loop, costs);
    ASSERT_LE(chunks.size(), k);
    for (std::size_t i = 0; i + 1 < chunks.size(); ++i) {
      EXPECT_GE(sum_of(costs, chunks[i]), full * (1 - 1e-12)) << round << " chunk " << i;
      EXPECT_LT(sum_of(costs, {chunks[i].first, chunks[i].count - 1}), full) << round << " chunk " << i;
    }
  }
}

/// Graham 1969: 4/3 - 1/3P of the least time that these chunks can take.
TEST(binlpt, deals_within_four_thirds_of_the_best_deal_of_its_chunks) {
  std::mt19937_64 draw(2);
  constexpr std::uint32_t members = 3;
  for (int round = 0; round < 100; ++round) {
    const auto costs = drawn(40, draw);
    const shape loop{40, members, 5, 0};
    std::vector<double> works;
    for (const auto& chunk : chunks_of(loop, costs)) works.push_back(sum_of(costs, chunk));
    std::vector<double> loads(members);
    const double best = least_time(works, 0, loads);
    const double most = dealt_most(loop_run("binlpt", loop, costs), members);
    EXPECT_GE(most, best) << round;
    EXPECT_LE(most, best * (4.0 / 3 - 1.0 / (3 * members))) << round;
  }
}

TEST(binlpt, leaves_who_has_the_heaviest_chunk_alone_with_it) {
  std::vector<double> costs(100, 1.0);
  costs[40] = 1000;
  loop_run run("binlpt", {100, 4, 5, 0},
               costs);  // k 20, 1099/20 = 54.95: 41 iterations, the last of them that one; 55; 4
  EXPECT_EQ(run.remaining_work(0), 1040);
  EXPECT_EQ(run.remaining_work(1), 55);
  EXPECT_EQ(run.remaining_work(2), 4);
  EXPECT_EQ(run.remaining_work(3), 0);
  EXPECT_EQ(run.next(0), (step{0, 41, 1}));
  EXPECT_EQ(run.remaining_work(0), 0);
}

TEST(binlpt, begins_with_the_heaviest) {
  std::mt19937_64 draw(3);
  const auto costs = drawn(200, draw);
  loop_run run("binlpt", {200, 4, 4, 0}, costs);
  for (member m = 0; m < 4; ++m) {
    double before = std::numeric_limits<double>::max();
    while (run.remaining(m) != 0) {
      const double now = sum_of(costs, run.next(m));
      EXPECT_LE(now, before);
      before = now;
    }
  }
}

TEST(binlpt, takes_the_lightest_chunk_of_who_has_most_work_left) {
  // Chunks of 9 8 7 6 5 4 and of six that cost nothing: 9 4 0, 8 5 and 7 6.
  const std::vector<double> costs{9, 8, 7, 6, 5, 4, 0, 0, 0, 0, 0, 0};
  loop_run run("binlpt", {12, 3, 1, 0}, costs);
  EXPECT_EQ(run.next(0), (step{0, 1, 1}));
  EXPECT_EQ(run.next(1), (step{1, 1, 1}));
  EXPECT_EQ(run.next(0), (step{5, 1, 1}));
  EXPECT_EQ(run.next(0), (step{6, 6, 1}));
  EXPECT_EQ(run.counts(0).steals, 0U);
  EXPECT_EQ(run.next(0), (step{3, 1, 1})) << "of member 2, who has not come: 13 are more than 5";
  EXPECT_EQ(run.counts(0).steals, 1U);
  EXPECT_EQ(run.remaining_work(2), 7);
}

TEST(binlpt, counts_iterations_where_costs_say_nothing) {
  for (const auto& costs : {std::vector<double>{}, std::vector<double>(1000, 0.0), std::vector<double>(1000, 3.0)}) {
    const shape loop{1000, 4, 25, 0};
    auto run = costs.empty() ? loop_run("binlpt", loop) : loop_run("binlpt", loop, costs);
    for (member m = 0; m < 4; ++m) EXPECT_EQ(run.remaining(m), 250U);
    for (const auto& [who, what] : in_turn(run, everybody(4))) EXPECT_EQ(what.count, 25U);
  }
}

TEST(binlpt, deals_no_more_chunks_than_iterations) {
  loop_run few("binlpt", {3, 8, 0, 0});
  for (member m = 0; m < 8; ++m) EXPECT_EQ(few.remaining(m), m < 3 ? 1U : 0U);
  loop_run one("binlpt", {10, 8, 10, 0});
  EXPECT_EQ(one.next(5), (step{0, 10, 1})) << "k is 1: whoever comes first";
  EXPECT_EQ(one.counts(5).steals, 1U);
  EXPECT_TRUE(one.next(0).done());
  loop_run none("binlpt", {0, 8, 0, 0});
  EXPECT_TRUE(none.next(0).done());
}

TEST(binlpt, takes_bounded_memory) {
  const shape some{~0ULL, 64, 0, 0};
  const shape most{~0ULL, 64, 1, 0};
  EXPECT_EQ(deal::packed::limit(some), 512U);
  EXPECT_EQ(deal::packed::limit(most), 65'536U);
  EXPECT_LE(deal::packed::bytes(some), 512 * 48 + 64 * 32U);
  EXPECT_LE(deal::packed::bytes(most), 65'536 * 48 + 64 * 32U);
}

/// What the members have really been dealt, in shares.
double imbalance(loop_run& run, const std::vector<double>& costs, std::uint32_t members) {
  double most = 0;
  for (member m = 0; m < members; ++m) {
    double its = 0;
    while (run.remaining(m) != 0) its += sum_of(costs, run.next(m));
    most = std::max(most, its);
  }
  return most * members / std::accumulate(costs.begin(), costs.end(), 0.0);
}

std::vector<double> dense_end(std::uint64_t n) {
  std::vector<double> costs(n, 1.0);
  std::fill(costs.end() - static_cast<std::ptrdiff_t>(n / 10), costs.end(), 50.0);
  return costs;
}

TEST(binlpt, knows_costs_from_a_profile) {
  for (const std::uint64_t n : {100U, 1024U, 100'003U}) {
    auto costs = dense_end(n);
    auto roughly = std::make_unique<profile>();
    roughly->set([](void* of, std::int64_t i) { return static_cast<double*>(of)[i]; }, costs.data(), 0, 1, n);
    shape loop{n, 7, 0, 0};
    loop.known.roughly = roughly.get();
    loop_run run("binlpt", loop);
    EXPECT_LT(imbalance(run, costs, 7), n == 100 ? 1.25 : n == 1024 ? 1.1 : 1.05) << n;
    loop.known.roughly = nullptr;
    loop_run unknown("binlpt", loop);
    EXPECT_GT(imbalance(unknown, costs, 7), 1.1) << n;
  }
}

/// Few large blocks, many small ones, and lists dealt one by one.
TEST(binlpt, knows_costs_from_the_sums_of_lists) {
  const auto costs = dense_end(300'007);
  for (const bool contiguous : {false, true}) {
    for (const std::uint64_t chunk : {0U, 4U, 3000U}) {
      const shape loop{costs.size(), 7, chunk, 0, {.contiguous = contiguous}};
      loop_run run("binlpt", loop, costs);
      EXPECT_LT(imbalance(run, costs, 7), 1.05) << contiguous << " " << chunk;
    }
  }
}

}  // namespace
}  // namespace steelyard::schedules::testing
