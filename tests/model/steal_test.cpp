// SPDX-License-Identifier: Apache-2.0
#include "schedules/steal.hpp"

#include <iterator>

#include "hand_out.hpp"

namespace steelyard::model {
namespace {

using schedule = schedules::steal<sync::model>;

protocol::test two() { return hand_out_test<schedule>("steal/two", 2, {.iterations = 6, .members = 2}); }

/// Shares that are known to cost the same.
constexpr std::uint64_t of_two[] = {1, 6};
constexpr std::uint64_t of_three[] = {40, 44, 60};
/// Member 0 takes its share, then the dear iterations 42 and 43 of member 1, and runs the first of them. Member 2 takes its own, and 41.
constexpr schedules::member callers[] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2};

/// The three but last have ranges of 14 iterations and more, of which `gradual` takes more than its least.
protocol tested() {
  return {"steal",
          {two(), hand_out_test<schedule>("steal/chunks", 2, {.iterations = 9, .members = 2, .chunk = 2}),
           hand_out_test<schedule>("steal/one_never_comes", 2, {.iterations = 5, .members = 3}),
           hand_out_test<schedule>("steal/three", 3, {.iterations = 3, .members = 3}),
           hand_out_test<schedule>("steal/alone", 1, {.iterations = 12, .members = 3}),
           hand_out_test<schedule>("steal/many", 3, {.iterations = 24, .members = 3}, {.random = 20000}),
           hand_out_test<schedule>("steal/long_alone", 1, {.iterations = 40, .members = 2}),
           hand_out_test<schedule>("steal/long_two", 2, {.iterations = 60, .members = 2}, {.random = 5000}),
           calls_test<schedule>("steal/grows", {.iterations = 40, .members = 2}, {0, 0, 0, 0, 0}, {4, 2, 1}),
           hand_out_test<schedule>("steal/known", 2, {.iterations = 6, .members = 2, .known = {.ends = of_two}}),
           // Then 43 costs as much as 40, and member 0 is the first behind member 2.
           calls_test<schedule>("steal/dear_loot", {.iterations = 60, .members = 3, .known = {.ends = of_three}},
                                {std::begin(callers), std::end(callers)}, {43, 1, 1})}};
}

TEST(steal, hands_out_each_iteration_once) { expect_holds(tested()); }
TEST(steal, robs_a_thief) { expect_steals(two(), "1 1"); }
TEST(steal, mutants) { expect_mutants_killed(tested()); }

}  // namespace
}  // namespace steelyard::model
