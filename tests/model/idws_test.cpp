// SPDX-License-Identifier: Apache-2.0
#include "schedules/idws.hpp"

#include "hand_out.hpp"

namespace steelyard::model {
namespace {

using schedule = schedules::idws<sync::model>;

/// The protocol is that of the open range, which open_range_test explores, and when to leave is looked at with `adaptive`; here
/// both meet the schedule.
constexpr options some{.how = strategy::interleavings, .random = 3000};

protocol tested() {
  return {"idws",
          {hand_out_test<schedule>("idws/two", 2, {.iterations = 4, .members = 2, .chunk = 1}, some),
           hand_out_test<schedule>("idws/one_never_comes", 2, {.iterations = 3, .members = 3}, some),
           hand_out_test<schedule>("idws/three", 3, {.iterations = 9, .members = 3, .chunk = 1}, some),
           hand_out_test<schedule>("idws/one_try", 2, {.iterations = 4, .members = 2, .experiment = {.one_try = true}},
                                   some),
           hand_out_test<schedule>("idws/alone", 1, {.iterations = 9, .members = 3, .chunk = 1}, some)},
          "RL"};
}

TEST(idws, hands_out_each_iteration_once) { expect_holds(tested()); }
TEST(idws, mutants) { expect_mutants_killed(tested()); }

}  // namespace
}  // namespace steelyard::model
