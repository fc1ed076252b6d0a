// SPDX-License-Identifier: Apache-2.0
#include "schedules/wsrw.hpp"

#include "hand_out.hpp"

namespace steelyard::model {
namespace {

using schedule = schedules::wsrw<sync::model>;

// Sums: list after list, each as long as the longest, from 0, and that of all behind them (list_groups.hpp). The least is shrunk in some: the work of one mean
// iteration, not of five, is worth asking for.

/// 0 2 4 6 and 1 3 5: what costs most is not where most iterations are, and the last position is padding.
constexpr double of_two[] = {0, 1, 2, 3, 4, 0, 3, 6, 9, 9, 13};
protocol::test two() {
  return hand_out_test<schedule>(
      "wsrw/two", 2,
      {.iterations = 7, .members = 2, .chunk = 1, .experiment = {.least_left = 1}, .known = {.sums = of_two}});
}

/// Lists of 2 and 1 1: nothing, then all.
constexpr double of_three[] = {0, 0, 5, 0, 0, 0, 0, 1, 1, 6};

/// Blocks of 2.
constexpr double of_blocks[] = {0, 1, 1, 1, 9, 0, 0, 3, 4, 11, 20};

/// Lists of 10 that get more expensive.
constexpr double of_many[] = {0,  1,  2,  3,  4,  5, 6, 7, 8, 9,  10, 0,  2,  4,  6,  8,  10,
                              12, 14, 16, 18, 20, 0, 3, 6, 9, 12, 15, 18, 21, 24, 27, 30, 60};

/// Lists of 8 of the same.
constexpr double of_same[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 0, 1, 2, 3, 4, 5, 6, 7, 8, 0, 1, 2, 3, 4, 5, 6, 7, 8, 24};

/// Lists of 4: 8 1 1 1 and 8 1 1 1, the mean is 2.75.
constexpr double of_little[] = {0, 8, 9, 10, 11, 0, 8, 9, 10, 11, 22};

protocol tested() {
  return {
      "wsrw",
      {two(),
       hand_out_test<schedule>("wsrw/many", 3, {.iterations = 30, .members = 3, .known = {.sums = of_many}},
                               {.random = 20000}),
       hand_out_test<schedule>("wsrw/one_never_comes", 2, {.iterations = 4, .members = 3, .known = {.sums = of_three}}),
       hand_out_test<schedule>("wsrw/contiguous", 2,
                               {.iterations = 8,
                                .members = 2,
                                .chunk = 2,
                                .front_end = {.contiguous = true},
                                .experiment = {.least_left = 1},
                                .known = {.sums = of_blocks}}),
       hand_out_test<schedule>("wsrw/without_costs", 2,
                               {.iterations = 6, .members = 2, .experiment = {.least_left = 2}}),
       hand_out_test<schedule>("wsrw/equal", 2, {.iterations = 4, .members = 3, .known = {.equal = true}}),
       hand_out_test<schedule>("wsrw/alone", 1,
                               {.iterations = 24, .members = 3, .chunk = 1, .known = {.sums = of_same}}),
       // Member 0 robs member 2, which member 1 has robbed and asks no longer: it has most, and is not busy.
       calls_test<schedule>(
           "wsrw/no_longer_busy",
           {.iterations = 24, .members = 3, .chunk = 1, .experiment = {.least_left = 2}, .known = {.sums = of_same}},
           {0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0}, {8, 1, 3}),
       // Member 0 has come and has the work of little more than one iteration left: it stays its own.
       calls_test<schedule>("wsrw/little_left",
                            {.iterations = 8, .members = 2, .chunk = 1, .known = {.sums = of_little}},
                            {0, 1, 1, 1, 1, 1}, {})}};
}

TEST(wsrw, hands_out_each_iteration_once) { expect_holds(tested()); }
TEST(wsrw, robs_a_thief) { expect_steals(two(), "1 1"); }
TEST(wsrw, mutants) { expect_mutants_killed(tested()); }

}  // namespace
}  // namespace steelyard::model
