// SPDX-License-Identifier: Apache-2.0
#include "schedules/steal.hpp"

#include "hand_out.hpp"

namespace steelyard::model {
namespace {

using schedule = schedules::steal<sync::model>;

protocol::test two() { return hand_out_test<schedule>("steal/two", 2, {.iterations = 6, .members = 2}); }

/// The last three have ranges of 14 iterations and more, of which `gradual` takes more than its least.
protocol tested() {
  return {"steal",
          {two(), hand_out_test<schedule>("steal/chunks", 2, {.iterations = 9, .members = 2, .chunk = 2}),
           hand_out_test<schedule>("steal/one_never_comes", 2, {.iterations = 5, .members = 3}),
           hand_out_test<schedule>("steal/three", 3, {.iterations = 3, .members = 3}),
           hand_out_test<schedule>("steal/alone", 1, {.iterations = 12, .members = 3}),
           hand_out_test<schedule>("steal/many", 3, {.iterations = 24, .members = 3}, {.random = 20000}),
           hand_out_test<schedule>("steal/long_alone", 1, {.iterations = 40, .members = 2}),
           hand_out_test<schedule>("steal/long_two", 2, {.iterations = 60, .members = 2}, {.random = 5000}),
           calls_test<schedule>("steal/grows", {.iterations = 40, .members = 2}, {0, 0, 0, 0, 0}, {4, 2, 1})}};
}

TEST(steal, hands_out_each_iteration_once) { expect_holds(tested()); }
TEST(steal, robs_a_thief) { expect_steals(two(), "1 1"); }
TEST(steal, mutants) { expect_mutants_killed(tested()); }

}  // namespace
}  // namespace steelyard::model
