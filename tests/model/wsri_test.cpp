// SPDX-License-Identifier: Apache-2.0
#include "schedules/wsri.hpp"

#include "hand_out.hpp"

namespace steelyard::model {
namespace {

/// The schedule with its constant shrunk: a victim with 2 iterations left, not 5, is worth asking.
struct small_rules : schedules::wsri_rules {
  using ask = schedules::ask::fullest<2, true>;
};
using small = schedules::stealing<sync::model, small_rules>;
using schedule = schedules::wsri<sync::model>;

protocol::test two() { return hand_out_test<small>("wsri/two", 2, {.iterations = 7, .members = 2, .chunk = 1}); }

protocol tested() {
  return {"wsri",
          {two(), hand_out_test<schedule>("wsri/many", 3, {.iterations = 30, .members = 3}, {.random = 20000}),
           hand_out_test<small>("wsri/one_never_comes", 2, {.iterations = 4, .members = 3}),
           hand_out_test<small>("wsri/contiguous", 2,
                                {.iterations = 8, .members = 2, .chunk = 2, .front_end = {.contiguous = true}}),
           hand_out_test<schedule>("wsri/unshrunk", 2, {.iterations = 4, .members = 2}),
           hand_out_test<schedule>("wsri/alone", 1, {.iterations = 24, .members = 3, .chunk = 1}),
           // Member 0 robs member 2, which member 1 has robbed and asks no longer: it is the fullest, and not busy.
           calls_test<small>("wsri/no_longer_busy", {.iterations = 24, .members = 3, .chunk = 1},
                             {0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0}, {8, 1, 3}),
           // Member 0 has come and has fewer than 5 iterations left: they stay its own.
           calls_test<schedule>("wsri/little_left", {.iterations = 8, .members = 2}, {0, 1, 1, 1}, {})}};
}

TEST(wsri, hands_out_each_iteration_once) { expect_holds(tested()); }
TEST(wsri, robs_a_thief) { expect_steals(two(), "1 1"); }
TEST(wsri, mutants) { expect_mutants_killed(tested()); }

}  // namespace
}  // namespace steelyard::model
