// SPDX-License-Identifier: Apache-2.0
#include "schedules/expensive_first.hpp"

#include <cstdint>
#include <memory>
#include <random>
#include <vector>

#include "loop_run.hpp"
#include "schedules/profile.hpp"
#include "schedules/weigh.hpp"
#include "schedules/wsrw.hpp"

namespace steelyard::schedules::testing {
namespace {

constexpr std::uint64_t n = 100'000;

/// A loop whose costs are known by a profile: 1 each, but for some.
struct peaked {
  explicit peaked(std::uint32_t members, std::vector<std::pair<std::uint64_t, double>> peaks, std::uint64_t of = n)
      : costs(of, 1.0), starts(members) {
    for (const auto& [at, cost] : peaks) costs[at] = cost;
    known->set([](void* all, std::int64_t i) { return static_cast<double*>(all)[i]; }, costs.data(), 0, 1, of);
    loop.iterations = of;
    loop.members = members;
    loop.front_end.contiguous = loop.front_end.expensive_first = loop.front_end.all_arrive = true;
    loop.known.roughly = known.get();
  }
  bool begin() { return begin_with_expensive(loop, starts.data()); }
  shape with_starts() {
    EXPECT_TRUE(begin());
    shape with = loop;
    with.known.starts = starts.data();
    return with;
  }

  std::vector<double> costs;
  std::vector<std::uint32_t> starts;
  std::unique_ptr<profile> known = std::make_unique<profile>();
  shape loop;
};

/// The members' first iterations.
std::vector<std::uint64_t> firsts(const shape& loop) {
  loop_run run("wsrw", loop);
  std::vector<std::uint64_t> found;
  for (const auto m : everybody(loop.members)) found.push_back(run.next(m).first);
  return found;
}

TEST(expensive_first, a_list_begins_at_its_most_expensive_bin) {
  peaked of(4, {{40'000, 30'000.0}, {60'000, 90'000.0}, {60'400, 95'000.0}});
  const auto without = firsts(of.loop);
  const auto with = firsts(of.with_starts());
  const deal::cyclic dealt(of.loop, wsrw_rules::take::reservation(of.loop));
  for (const auto m : everybody(4)) {
    for (const auto& [at, ignored] : {std::pair{40'000U, 0U}, std::pair{60'000U, 60'400U}}) {
      if (dealt.owner(dealt.position(at)) != m) continue;
      const auto expensive = ignored != 0 && dealt.owner(dealt.position(ignored)) == m ? ignored : at;
      EXPECT_EQ(with[m], profile::first_of(profile::bin_of(expensive, n), n)) << m;
    }
  }
  EXPECT_NE(with, without);
}

TEST(expensive_first, nothing_is_moved_where_nothing_stands_out) {
  peaked even(4, {});
  EXPECT_FALSE(even.begin());
  peaked slightly(32, {{5'000, 100.0}});  // with its bin twice the mean
  EXPECT_FALSE(slightly.begin());
  peaked at_the_front(4, {{0, 50'000.0}});
  EXPECT_FALSE(at_the_front.begin()) << "it is first already";
}

TEST(expensive_first, only_for_who_wants_it_and_lists_of_few_blocks) {
  peaked of(4, {{40'000, 90'000.0}});
  EXPECT_TRUE(of.begin());
  of.loop.chunk = 16;
  EXPECT_FALSE(of.begin());
  of.loop.chunk = 0;
  of.loop.front_end.expensive_first = false;
  EXPECT_FALSE(of.begin());
  of.loop.front_end.expensive_first = true;
  of.loop.front_end.contiguous = false;
  EXPECT_FALSE(of.begin());
  of.loop.front_end.contiguous = true;
  of.loop.known.roughly = nullptr;
  EXPECT_FALSE(of.begin());
}

TEST(expensive_first, every_iteration_is_run_once) {
  std::mt19937_64 draw(11);
  for (const std::uint64_t of : {std::uint64_t{7}, std::uint64_t{100}, std::uint64_t{1023}, std::uint64_t{1025}, n}) {
    for (const std::uint32_t members : {1U, 2U, 3U, 8U, 37U}) {
      peaked loop(members, {{of / 2, static_cast<double>(of)}, {of - 1, static_cast<double>(2 * of)}}, of);
      shape with = loop.loop;
      if (loop.begin()) with.known.starts = loop.starts.data();
      loop_run run("wsrw", with);
      EXPECT_TRUE(covers(in_random_order(run, everybody(members), draw), of)) << of << " by " << members;
    }
  }
}

/// What ranges of a list weigh that begins in its middle: what the profile says of each unit of them.
TEST(expensive_first, ranges_weigh_what_is_in_them) {
  peaked of(3, {{40'000, 30'000.0}, {70'000, 90'000.0}});
  const shape with = of.with_starts();
  const deal::cyclic dealt(with, wsrw_rules::take::reservation(with));
  const weigh::work weighs(with, dealt);
  std::mt19937_64 draw(3);
  for (int round = 0; round < 200; ++round) {
    const auto whole = dealt.share(static_cast<member>(draw() % 3));
    const auto begin = static_cast<std::uint32_t>(whole.begin() + draw() % whole.size());
    const range some{begin, static_cast<std::uint32_t>(begin + 1 + draw() % (whole.end() - begin))};
    double expected = 0;
    for (auto rest = some; !rest.empty();) {
      const auto piece = dealt.cut(rest);
      for (auto i = piece.first; i < piece.first + piece.count; ++i) {
        const auto unit = static_cast<std::uint32_t>(i);
        expected += of.known->before(unit + 1, n) - of.known->before(unit, n);
      }
    }
    EXPECT_NEAR(weighs.work_of(some) / expected, 1, 1e-6);
    const auto half = weighs.half_way(some);
    ASSERT_TRUE(some.begin() < half && half <= some.end());
    EXPECT_GE(weighs.work_of({some.begin(), half}), expected / 2 * 0.999 - 1e14) << "of 2^62";
  }
}

}  // namespace
}  // namespace steelyard::schedules::testing
