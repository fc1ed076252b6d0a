// SPDX-License-Identifier: Apache-2.0
#include "schedules/binlpt.hpp"

#include "hand_out.hpp"

namespace steelyard::model {
namespace {

using schedule = schedules::binlpt<sync::model>;

/// Chunks of 9 8 7 6: 9 6 and 8 7.
constexpr double of_two[] = {0, 9, 16, 0, 8, 14, 30};
protocol::test two() {
  return hand_out_test<schedule>("binlpt/two", 2,
                                 {.iterations = 4, .members = 2, .chunk = 1, .known = {.sums = of_two}});
}

protocol tested() {
  return {"binlpt",
          {two(), hand_out_test<schedule>("binlpt/one_never_comes", 2, {.iterations = 5, .members = 3, .chunk = 1}),
           hand_out_test<schedule>("binlpt/three", 3, {.iterations = 2, .members = 3}),
           hand_out_test<schedule>("binlpt/many", 3, {.iterations = 24, .members = 3, .chunk = 2}, {.random = 20000})}};
}

TEST(binlpt, hands_out_each_iteration_once) { expect_holds(tested()); }
TEST(binlpt, takes_chunks_of_others) { expect_steals(two(), "0 1"); }
TEST(binlpt, mutants) { expect_mutants_killed(tested()); }

}  // namespace
}  // namespace steelyard::model
