// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "cost/limit.hpp"
#include "rows.hpp"
#include "schedules/adaptive.hpp"
#include "schedules/idws.hpp"
#include "simulator/replay.hpp"
#include "sync/virtual.hpp"

/// Open ranges in virtual time: victims answer at their next claim.
namespace steelyard::simulator {
namespace {

using testing::iterations;
using testing::rows;

/// Kaapi's rule against Cilk's: a victim that several ask gives half to one, the others turn away.
struct split_in_two : schedules::adaptive_rules {
  static constexpr bool queues = false;
};

const auto idws = schedules::operations_of<schedules::idws<sync::virtual_time>>;
const auto split_k = schedules::operations_of<schedules::adaptive<sync::virtual_time>>;
const auto split_2 = schedules::operations_of<schedules::sharing<sync::virtual_time, split_in_two>>;

setup open_loop(std::uint32_t members, const std::vector<double>& sums, const charges& cost = {}) {
  setup given;
  given.loop = {sums.size() - 1, members};
  given.loop.front_end.open = true;
  given.sums = sums;
  given.cost = cost;
  return given;
}

class shared_ranges : public ::testing::TestWithParam<std::uint32_t> {};

TEST_P(shared_ranges, of_idws_end_within_2_percent_of_the_limit) {
  const auto members = GetParam();
  for (const auto& row : rows(members)) {
    const auto sums = cost::prefix_sums(row.values);
    const auto limit = cost::limit(row.values, members);
    const auto free = replay(idws, open_loop(members, sums));
    auto with = open_loop(members, sums, {0, 0, 2000.0 / 25});
    const auto charged = replay(idws, with);
    with.loop.experiment.one_try = true;
    const auto leaving = replay(idws, with);
    std::printf("%8u %-12s free %.4f  2 us a request %.4f, leaving when refused %.4f; %llu steals\n", members,
                row.name.c_str(), free.makespan / limit, charged.makespan / limit, leaving.makespan / limit,
                static_cast<unsigned long long>(free.steals));
    EXPECT_LE(free.makespan, 1.02 * limit) << row.name;
  }
}

INSTANTIATE_TEST_SUITE_P(members, shared_ranges, ::testing::Values(2, 8, 32, 128));

/// A record with loose bounds: which split needs how many requests, and how long it takes, on equal members and with one
/// at half speed.
TEST(adaptive_split, among_k_against_in_two) {
  for (const std::uint32_t members : {2U, 8U, 32U}) {
    for (const bool one_is_slow : {false, true}) {
      std::vector<double> speeds(members, 1.0);
      if (one_is_slow) speeds.back() = 0.5;
      const auto speed = static_cast<double>(members) - (one_is_slow ? 0.5 : 0);
      for (const auto& row : rows(members)) {
        const auto sums = cost::prefix_sums(row.values);
        auto given = open_loop(members, sums, {0, 0, 500.0 / 25});
        given.speeds = speeds;
        const auto best = sums.back() / speed;
        const auto k = replay(split_k, given);
        const auto two = replay(split_2, given);
        std::printf("%8u %s %-12s k %.4f of W/speed, %5llu steals; two %.4f, %5llu\n", members,
                    one_is_slow ? "one slow" : "equal   ", row.name.c_str(), k.makespan / best,
                    static_cast<unsigned long long>(k.steals), two.makespan / best,
                    static_cast<unsigned long long>(two.steals));
        EXPECT_LE(k.makespan, 1.05 * best) << row.name;
        EXPECT_LE(two.makespan, 1.05 * best) << row.name;
      }
    }
  }
}

}  // namespace
}  // namespace steelyard::simulator
