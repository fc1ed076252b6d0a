// SPDX-License-Identifier: Apache-2.0
#include "schedules/work_sums.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "schedules/list_groups.hpp"
#include "schedules/wsrw.hpp"

namespace steelyard::schedules {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// Sums with room for any loop here.
class sums_of {
 public:
  explicit sums_of(const optimisations& applied = {}) : sums_(memory_, applied) {}

  shape apply(const shape& loop, const known_costs& known) { return sums_.apply(loop, known); }
  shape apply(const shape& loop, const std::vector<double>& costs) {
    return apply(loop, {cost::source::of(costs.data()), ++version_});
  }
  [[nodiscard]] std::uint64_t made() const { return sums_.made(); }

 private:
  std::vector<double> memory_ = std::vector<double>(7000, -1.0);
  work_sums sums_;
  std::uint64_t version_ = 0;
};

std::vector<double> counting(std::size_t n) {
  std::vector<double> costs(n);
  std::iota(costs.begin(), costs.end(), 0.0);
  return costs;
}

shape loop_of(std::uint64_t n, std::uint32_t members = 3) { return {n, members, 1, 0}; }

TEST(work_sums, follow_the_deal_with_its_padding) {
  sums_of sums;
  const auto with = sums.apply(loop_of(10), counting(10));
  // The lists 0 3 6 9, 1 4 7 and 2 5 8, each as long as the longest.
  const std::vector<double> expected{0, 0, 3, 9, 18, 0, 1, 5, 12, 12, 0, 2, 7, 15, 15, 45};
  ASSERT_GE(work_sums::size_for(loop_of(10)), expected.size());
  EXPECT_EQ(std::vector<double>(with.known.sums, with.known.sums + expected.size()), expected);
  EXPECT_FALSE(with.known.equal);
}

/// What wsrw hands out, and what the sums say of it, piece by piece.
void expect_same_deal(const shape& with, const std::vector<double>& costs) {
  const wsrw_rules::deal deal(with, wsrw_rules::take::reservation(with));
  const weigh::work weigh(with, deal);
  std::vector<int> seen(costs.size());
  for (member m = 0; m < with.members; ++m) {
    for (auto rest = deal.share(m); !rest.empty();) {
      const auto before = rest;
      const auto what = deal.cut(rest);
      const auto end = rest.empty() ? before.end() : rest.begin();
      double work = 0;
      for (std::uint64_t i = 0; i < what.count; ++i) {
        const auto iteration = what.first + i * what.stride;
        ASSERT_LT(iteration, costs.size());
        ++seen[iteration];
        work += costs[iteration];
        ASSERT_EQ(deal.position(static_cast<std::uint32_t>(iteration)), before.begin() + i);
      }
      ASSERT_EQ(end - before.begin(), what.count);
      ASSERT_EQ(weigh.work_of({before.begin(), end}), work);
    }
  }
  ASSERT_EQ(std::count(seen.begin(), seen.end(), 1), static_cast<std::ptrdiff_t>(costs.size()));
}

TEST(work_sums, agree_with_what_wsrw_hands_out) {
  std::mt19937_64 draw(1);
  for (int round = 0; round < 100; ++round) {
    const shape loop{
        2 + draw() % 1000, 1 + static_cast<std::uint32_t>(draw() % 9), draw() % 40, 0, {.contiguous = draw() % 2 == 0}};
    auto costs = counting(loop.iterations);
    std::shuffle(costs.begin(), costs.end(), draw);
    sums_of sums;
    const auto with = sums.apply(loop, costs);
    ASSERT_NE(with.known.sums, nullptr);
    expect_same_deal(with, costs);
  }
}

TEST(work_sums, begin_lists_with_what_is_most_expensive) {
  auto loop = loop_of(10);
  loop.front_end.expensive_first = true;
  sums_of sums;
  // The lists 0 3 6 9, 1 4 7 and 2 5 8: the most expensive are 6, 4 and 2.
  const std::vector<double> costs{1, 2, 9, 3, 50, 1, 100, 1, 1, 2};
  const auto with = sums.apply(loop, costs);
  ASSERT_NE(with.known.starts, nullptr);
  EXPECT_EQ(std::vector<std::uint32_t>(with.known.starts, with.known.starts + 3),
            (std::vector<std::uint32_t>{2, 1, 0}));
  expect_same_deal(with, costs);
  wsrw_rules::deal deal(with, 1);
  auto list = deal.share(0);
  EXPECT_EQ(deal.cut(list), (step{6, 2, 3})) << "6 and 9";
  EXPECT_EQ(deal.cut(list), (step{0, 2, 3})) << "then 0 and 3";
  EXPECT_TRUE(list.empty());
}

TEST(work_sums, begin_no_list_elsewhere_for_little) {
  auto loop = loop_of(3000);
  sums_of sums;
  std::vector<double> costs(3000, 1.0);
  costs[1500] = 16;
  EXPECT_EQ(sums.apply(loop, costs).known.starts, nullptr) << "not asked for";
  loop.front_end.expensive_first = true;
  const auto ordered = sums.apply(loop, costs);
  ASSERT_NE(ordered.known.starts, nullptr);
  EXPECT_EQ(std::vector<std::uint32_t>(ordered.known.starts, ordered.known.starts + 3),
            (std::vector<std::uint32_t>{500, 0, 0}));
  costs[1500] = 15;
  const auto cheap = sums.apply(loop, costs);
  EXPECT_EQ(cheap.known.starts, nullptr) << "less than the 64th of its list";
  ASSERT_NE(cheap.known.sums, nullptr);
  EXPECT_EQ(sums.apply(loop, std::vector<double>(3000, 1.0)).known.starts, nullptr);
  EXPECT_EQ(sums.apply(loop, std::vector<double>(3000, infinity)).known.starts, nullptr);
}

TEST(work_sums, agree_with_the_deal_wherever_its_lists_begin) {
  std::mt19937_64 draw(2);
  for (int round = 0; round < 200; ++round) {
    shape loop{1 + draw() % (round % 2 == 0 ? 60 : 1000),
               1 + static_cast<std::uint32_t>(draw() % 9),
               draw() % 40,
               0,
               {draw() % 2 == 0}};
    loop.front_end.expensive_first = true;
    std::vector<double> costs(loop.iterations);
    for (auto& cost : costs) cost = draw() % 50 == 0 ? 1000 : static_cast<double>(draw() % 5);
    sums_of sums;
    const auto with = sums.apply(loop, costs);
    if (with.known.sums != nullptr) expect_same_deal(with, costs);
  }
}

TEST(work_sums, never_descend) {
  std::mt19937_64 draw(2);
  std::vector<double> costs(999);
  for (auto& cost : costs) cost = std::ldexp(static_cast<double>(draw()), -static_cast<int>(draw() % 2000));
  sums_of sums;
  const auto with = sums.apply(loop_of(999), costs);
  ASSERT_NE(with.known.sums, nullptr);
  for (const auto* list = with.known.sums; list != with.known.sums + 3 * 334; list += 334) {
    EXPECT_TRUE(std::is_sorted(list, list + 334));
  }
}

/// Opt1.
TEST(work_sums, are_made_again_only_when_something_has_changed) {
  const auto costs = counting(100);
  const auto other = counting(100);
  const known_costs known{cost::source::of(costs.data()), 7};
  sums_of sums;
  const shape loop{100, 4, 2, 0};
  const auto first = sums.apply(loop, known);
  for (int again = 0; again < 3; ++again) EXPECT_EQ(sums.apply(loop, known).known.sums, first.known.sums);
  EXPECT_EQ(sums.made(), 1U);

  auto expect_made = [&, made = sums.made()](const shape& of, const known_costs& now) mutable {
    sums.apply(of, now);
    EXPECT_EQ(sums.made(), ++made);
    sums.apply(of, now);
    EXPECT_EQ(sums.made(), made);
  };
  expect_made(loop, {known.each, 8});
  expect_made(loop, {cost::source::of(other.data()), 8});
  expect_made({99, 4, 2, 0}, known);
  expect_made({100, 5, 2, 0}, known);
  expect_made({100, 4, 3, 0}, known);
  expect_made({100, 4, 2, 0, {.contiguous = true}}, known);
  auto expensive_first = loop;
  expensive_first.front_end.expensive_first = true;
  expect_made(expensive_first, known);

  sums_of always({.reuse = false});
  for (int again = 0; again < 3; ++again) always.apply(loop, known);
  EXPECT_EQ(always.made(), 3U);
}

TEST(work_sums, do_not_forget_while_another_loop_has_none) {
  const auto costs = counting(100);
  const known_costs known{cost::source::of(costs.data())};
  sums_of sums;
  sums.apply(loop_of(100), known);
  EXPECT_EQ(sums.apply(loop_of(100), known_costs{}).known.sums, nullptr);
  EXPECT_NE(sums.apply(loop_of(100), known).known.sums, nullptr);
  EXPECT_EQ(sums.made(), 1U);
}

/// Opt2.
TEST(work_sums, find_equal_costs) {
  const std::vector<double> twos(100, 2.0);
  sums_of sums;
  EXPECT_TRUE(sums.apply(loop_of(100), twos).known.equal);
  const auto told = sums.apply(loop_of(100), {cost::source::of(twos.data()), 0, true});
  EXPECT_TRUE(told.known.equal);
  EXPECT_EQ(sums.made(), 1U) << "none need be read";

  sums_of without({.equal = false});
  EXPECT_FALSE(without.apply(loop_of(100), twos).known.equal);
  EXPECT_NE(without.apply(loop_of(100), {cost::source::of(twos.data()), 0, true}).known.sums, nullptr);
}

/// Opt3.
TEST(work_sums, leave_guarded_bodies_without) {
  const auto costs = counting(100);
  const known_costs guarded{cost::source::of(costs.data()), 0, false, true};
  sums_of sums;
  EXPECT_EQ(sums.apply(loop_of(100), guarded).known.sums, nullptr);
  EXPECT_EQ(sums.made(), 0U);
  sums_of without({.guarded = false});
  EXPECT_NE(without.apply(loop_of(100), guarded).known.sums, nullptr);
}

/// Of long lists there are sums of groups: a range is off by less than the groups at its ends, and so is its half.
TEST(work_sums, are_of_groups_where_lists_are_long) {
  std::mt19937_64 draw(3);
  for (const bool contiguous : {false, true}) {
    shape loop{20'000, 3, 0, 0, {contiguous}};
    loop.front_end.expensive_first = true;
    std::vector<double> costs(loop.iterations);
    for (auto& cost : costs) cost = static_cast<double>(1 + draw() % 9);
    costs[12'345] = 3000;
    sums_of sums;
    const auto with = sums.apply(loop, costs);
    ASSERT_NE(with.known.starts, nullptr);
    const wsrw_rules::deal deal(with, wsrw_rules::take::reservation(with));
    const auto group = 1U << list_groups(deal).shift();
    ASSERT_EQ(group, contiguous ? 16U : 8U) << "there a list is a few more than 8,192";
    const weigh::work weigh(with, deal);
    std::vector<double> of_position(deal.positions());
    for (std::uint32_t i = 0; i < loop.iterations; ++i) of_position[deal.position(i)] = costs[i];
    for (int round = 0; round < 2000; ++round) {
      const auto list = deal.share(static_cast<member>(draw() % 3));
      const auto first = list.begin() + static_cast<std::uint32_t>(draw() % list.size());
      const range some(first, first + 1 + static_cast<std::uint32_t>(draw() % (list.end() - first)));
      const auto work_of = [&](std::uint32_t from, std::uint32_t to) {
        return std::accumulate(of_position.begin() + from, of_position.begin() + to, 0.0);
      };
      // The group of the most expensive, some of whose neighbours end the list.
      const auto most_expensive = deal.position(12'345);
      if (deal.owner(most_expensive) == deal.owner(first) &&
          (first < most_expensive + group || some.end() > list.end() - group))
        continue;
      const auto work = work_of(some.begin(), some.end());
      ASSERT_NEAR(weigh.work_of(some), work, 2 * group * 9);
      const auto half = weigh.half_way(some);
      ASSERT_GT(half, some.begin());
      ASSERT_LE(half, some.end());
      ASSERT_NEAR(work_of(some.begin(), half), work_of(half, some.end()), 4 * group * 9)
          << some.begin() << " " << some.end();
    }
  }
}

TEST(work_sums, of_lists_can_be_made_in_any_order) {
  const auto costs = counting(5000);
  const known_costs known{cost::source::of(costs.data())};
  std::vector<double> one(work_sums::size_for(loop_of(5000)));
  std::vector<double> two(one);
  work_sums in_order(one);
  work_sums backwards(two);
  const auto expected = in_order.apply(loop_of(5000), known);
  ASSERT_TRUE(backwards.begin(loop_of(5000), known));
  for (const member m : {2U, 1U, 0U}) backwards.read_list(m, known.each);
  const auto found = backwards.with(loop_of(5000), known);
  const auto size = list_groups(deal::cyclic(loop_of(5000), 1)).of_all() + 1;
  EXPECT_EQ(std::vector<double>(found.known.sums, found.known.sums + size),
            std::vector<double>(expected.known.sums, expected.known.sums + size));
  EXPECT_FALSE(backwards.begin(loop_of(5000), known)) << "they are there";
}

TEST(work_sums, take_a_negative_cost_and_nan_for_0) {
  sums_of sums;
  const auto with = sums.apply(loop_of(4, 1), {1, -5, nan, 2});
  EXPECT_EQ(std::vector<double>(with.known.sums, with.known.sums + 6), (std::vector<double>{0, 1, 1, 1, 3, 3}));
}

TEST(work_sums, are_none_without_a_sum) {
  sums_of sums;
  EXPECT_EQ(sums.apply(loop_of(3), {0, 0, 0}).known.sums, nullptr);
  EXPECT_EQ(sums.apply(loop_of(3), {-1, nan, 0}).known.sums, nullptr);
  EXPECT_EQ(sums.apply(loop_of(3), {1, infinity, 1}).known.sums, nullptr);
  EXPECT_EQ(sums.apply(loop_of(3), {1, 1e308, 1e308}).known.sums, nullptr);
  EXPECT_EQ(sums.apply(loop_of(3), {0, 0, 0}).known.equal, false);
  EXPECT_EQ(sums.apply(loop_of(0), {1}).known.sums, nullptr);
}

TEST(work_sums, need_their_memory) {
  const auto costs = counting(10);
  std::vector<double> memory(work_sums::size_for(loop_of(10)) - 1);
  work_sums sums(memory);
  EXPECT_EQ(sums.apply(loop_of(10), {cost::source::of(costs.data())}).known.sums, nullptr);
  EXPECT_EQ(sums.made(), 0U);
}

TEST(work_sums, keep_the_rest_of_the_loop) {
  shape loop{10, 3, 2, 9, {.contiguous = true, .all_arrive = true}};
  loop.experiment.least_left = 7;
  loop.experiment.halves = halving::scan;
  sums_of sums;
  const auto with = sums.apply(loop, counting(10));
  EXPECT_EQ(with.iterations, 10U);
  EXPECT_EQ(with.seed, 9U);
  EXPECT_TRUE(with.front_end.contiguous);
  EXPECT_TRUE(with.front_end.all_arrive);
  EXPECT_EQ(with.experiment.least_left, 7U);
  EXPECT_EQ(with.experiment.halves, halving::scan);
}

}  // namespace
}  // namespace steelyard::schedules
