// SPDX-License-Identifier: Apache-2.0
#include "schedules/wsr.hpp"

#include "hand_out.hpp"

namespace steelyard::model {
namespace {

/// The schedule with its constant shrunk: a victim with 2 iterations left, not 5, is worth asking.
struct small_rules : schedules::wsr_rules {
  using ask = schedules::ask::random<2>;
};
using small = schedules::stealing<sync::model, small_rules>;
using schedule = schedules::wsr<sync::model>;

protocol::test two() { return hand_out_test<small>("wsr/two", 2, {.iterations = 7, .members = 2, .chunk = 1}); }

protocol tested() {
  return {"wsr",
          {two(), hand_out_test<small>("wsr/three", 3, {.iterations = 2, .members = 3}),
           hand_out_test<schedule>("wsr/many", 3, {.iterations = 30, .members = 3}, {.random = 20000}),
           hand_out_test<small>("wsr/one_never_comes", 2, {.iterations = 4, .members = 3}),
           hand_out_test<small>("wsr/contiguous", 2,
                                {.iterations = 8, .members = 2, .chunk = 2, .front_end = {.contiguous = true}}),
           hand_out_test<schedule>("wsr/unshrunk", 2, {.iterations = 4, .members = 2}),
           hand_out_test<schedule>("wsr/alone", 1, {.iterations = 24, .members = 3, .chunk = 1}),
           // Member 0 has come and has fewer than 5 iterations left: they stay its own.
           calls_test<schedule>("wsr/little_left", {.iterations = 8, .members = 2}, {0, 1, 1, 1}, {})}};
}

TEST(wsr, hands_out_each_iteration_once) { expect_holds(tested()); }
TEST(wsr, robs_a_thief) { expect_steals(two(), "1 1"); }
TEST(wsr, mutants) { expect_mutants_killed(tested()); }

}  // namespace
}  // namespace steelyard::model
