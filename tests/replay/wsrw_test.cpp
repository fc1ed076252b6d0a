// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <random>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include "cost/limit.hpp"
#include "rows.hpp"
#include "schedules/profile.hpp"
#include "schedules/work_sums.hpp"
#include "simulator/replay.hpp"

/// How near `wsrw` comes to the limit when it knows what iterations cost, and what it saves, beside what COWS reports
/// (Mishra & Nandivada 2023, sections 6.1, 6.4 and 6.5).
namespace steelyard::simulator {
namespace {

using schedules::halving;
using schedules::optimisations;
using schedules::shape;
using testing::costs_of;

/// One row with true costs.
class known_row {
 public:
  known_row(const costs_of& row, std::uint32_t members, const optimisations& applied = {},
            halving halves = halving::search, bool expensive_first = false)
      : sums_(cost::prefix_sums(row.values)), limit_(cost::limit(row.values, members)) {
    loop_ = {row.values.size(), members, 0, 1, {.all_arrive = true}};
    loop_.front_end.expensive_first = expensive_first;
    memory_.resize(schedules::work_sums::size_for(loop_));
    schedules::work_sums positions(memory_, applied);
    loop_ = positions.apply(loop_, {cost::source::of(row.values.data())});
    loop_.experiment.halves = halves;
  }

  [[nodiscard]] outcome of(const char* schedule, std::span<const schedules::member> arrivals = {}) const {
    return replay(*find(schedule), {loop_, sums_, {}, arrivals, false});
  }
  /// Time in units of the limit.
  [[nodiscard]] double ratio(const char* schedule) const { return of(schedule).makespan / limit_; }
  [[nodiscard]] double limit() const { return limit_; }

 private:
  std::vector<double> sums_;
  double limit_;
  schedules::shape loop_;
  std::vector<double> memory_;
};

class wsrw : public ::testing::TestWithParam<std::uint32_t> {};

TEST_P(wsrw, is_within_2_percent_of_the_limit) {
  std::printf("%8s %-12s %8s %8s %8s %8s\n", "members", "costs", "cyclic", "wsr", "wsri", "wsrw");
  for (const auto& row : testing::rows(GetParam())) {
    const known_row known(row, GetParam());
    const auto found = known.ratio("wsrw");
    std::printf("%8u %-12s %8.4f %8.4f %8.4f %8.4f\n", GetParam(), row.name.c_str(), known.ratio("cyclic"),
                known.ratio("wsr"), known.ratio("wsri"), found);
    // Among many, thieves do not look at everybody: that is not free (schedules/hints.hpp), but here it would be.
    EXPECT_LE(found, GetParam() <= 32 ? 1.02 : 1.04) << row.name;
  }
}

/// Section 6.4: fewer of them with a better victim. A row without any counts as one steal.
TEST_P(wsrw, steals_less_often_than_wsri_and_wsri_than_wsr) {
  double log_wsr = 0;
  double log_wsri = 0;
  double log_wsrw = 0;
  const auto rows = testing::rows(GetParam());
  for (const auto& row : rows) {
    const known_row known(row, GetParam());
    const auto steals = [&](const char* name) {
      return std::log(std::max(1.0, static_cast<double>(known.of(name).steals)));
    };
    log_wsr += steals("wsr");
    log_wsri += steals("wsri");
    log_wsrw += steals("wsrw");
  }
  const auto mean = [&](double logs) { return std::exp(logs / static_cast<double>(rows.size())); };
  std::printf("%8u members: steals wsr %.1f wsri %.1f wsrw %.1f\n", GetParam(), mean(log_wsr), mean(log_wsri),
              mean(log_wsrw));
  EXPECT_LT(log_wsrw, log_wsri);
  EXPECT_LT(log_wsri, log_wsr);
}

INSTANTIATE_TEST_SUITE_P(members, wsrw, ::testing::Values(8, 32, 128));

/// There is nothing more to gain: how much faster than cyclic it is, is how far cyclic is from the limit.
TEST(wsrw_gains, over_cyclic_what_cyclic_lacks_to_the_limit_at_32_members) {
  for (const auto& row : testing::rows(32)) {
    const known_row known(row, 32);
    const auto cyclic = known.of("cyclic").makespan;
    EXPECT_NEAR(cyclic / known.of("wsrw").makespan, cyclic / known.limit(), 0.02) << row.name;
  }
}

/// Iterations that are as long as a member's share. By the paper's rules somebody comes to one last.
TEST_P(wsrw, begins_with_what_keeps_others_waiting) {
  const auto members = GetParam();
  auto hubs = costs_of{"few hubs", std::vector<double>(100'003, 1.0)};
  std::mt19937_64 draw(members);
  for (std::uint64_t list = 0; list < members / 2; ++list) {
    hubs.values[draw() % (hubs.values.size() / members) * members + list] = 2.0 * 100'003 / members;
  }
  const known_row as_in_the_paper(hubs, members);
  const known_row ours(hubs, members, {}, halving::search, true);
  std::printf("%8u members: %.4f, expensive first %.4f\n", members, as_in_the_paper.ratio("wsrw"), ours.ratio("wsrw"));
  EXPECT_GT(as_in_the_paper.ratio("wsrw"), 1.1);
  EXPECT_LE(ours.ratio("wsrw"), 1.02);
}

TEST(wsrw_optimised, runs_equal_costs_as_cyclic_does) {
  const costs_of equal{"regular", cost::idws::regular(100'003)};
  const known_row known(equal, 32);
  EXPECT_EQ(known.of("wsrw").makespan, known.of("cyclic").makespan);
  EXPECT_EQ(known.of("wsrw").chunks, 32U);
  EXPECT_EQ(known.of("wsrw").steals, 0U);
  EXPECT_GT(known_row(equal, 32, {.equal = false}).of("wsrw").chunks, 5'000U);
}

/// As the drop-in knows costs: 1,024 bins, and reservations of neighbours dealt in turn.
TEST_P(wsrw, is_within_2_percent_of_the_limit_by_a_profile) {
  double log_wsri = 0;
  double log_profile = 0;
  for (const auto& row : testing::rows(GetParam())) {
    const auto sums = cost::prefix_sums(row.values);
    const auto limit = cost::limit(row.values, GetParam());
    auto roughly = std::make_unique<schedules::profile>();
    auto costs = row.values;
    roughly->set([](void* of, std::int64_t i) { return static_cast<double*>(of)[i]; }, costs.data(), 0, 1,
                 costs.size());
    shape loop{row.values.size(), GetParam(), 0, 1, {.contiguous = true, .all_arrive = true}};
    const auto without = replay(*find("wsri"), {loop, sums, {}, {}, false});
    loop.known.roughly = roughly.get();
    const auto with = replay(*find("wsrw"), {loop, sums, {}, {}, false});
    std::printf("%8u %-12s wsri %8.4f %5llu steals, by a profile %8.4f %5llu\n", GetParam(), row.name.c_str(),
                without.makespan / limit, static_cast<unsigned long long>(without.steals), with.makespan / limit,
                static_cast<unsigned long long>(with.steals));
    EXPECT_LE(with.makespan / limit, 1.02) << row.name;
    log_wsri += std::log(1.0 + static_cast<double>(without.steals));
    log_profile += std::log(1.0 + static_cast<double>(with.steals));
  }
  EXPECT_LT(log_profile, log_wsri);
}

/// Opt4: a scan finds the same place; half of the iterations is another. With costs that fall off along every list it
/// is the lesser half: more steals, here of the lists of members that never come.
TEST(wsrw_optimised, cuts_by_work) {
  const std::vector<schedules::member> arrivals{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  const costs_of hubs{"hubs first", cost::hubs_first(testing::iterations)};
  const auto by = [&](halving halves) { return known_row(hubs, 32, {}, halves).of("wsrw", arrivals); };
  const auto search = by(halving::search);
  const auto scan = by(halving::scan);
  const auto iterations = by(halving::iterations);
  EXPECT_EQ(scan.makespan, search.makespan);
  EXPECT_EQ(scan.steals, search.steals);
  std::printf("steals by half of the work %llu, of the iterations %llu\n",
              static_cast<unsigned long long>(search.steals), static_cast<unsigned long long>(iterations.steals));
  EXPECT_LT(search.steals, iterations.steals);
}

}  // namespace
}  // namespace steelyard::simulator
