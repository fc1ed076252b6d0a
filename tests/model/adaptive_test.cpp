// SPDX-License-Identifier: Apache-2.0
#include "schedules/adaptive.hpp"

#include "hand_out.hpp"

namespace steelyard::model {
namespace {

using schedule = schedules::adaptive<sync::model>;

/// The protocol is that of the open range, which open_range_test explores; here it meets the schedule.
constexpr options some{.how = strategy::interleavings, .random = 3000};

protocol tested() {
  return {"adaptive",
          {hand_out_test<schedule>("adaptive/two", 2, {.iterations = 4, .members = 2, .chunk = 1}, some),
           hand_out_test<schedule>("adaptive/one_never_comes", 2, {.iterations = 3, .members = 3}, some),
           hand_out_test<schedule>("adaptive/three", 3, {.iterations = 9, .members = 3, .chunk = 1}, some),
           hand_out_test<schedule>("adaptive/one_try", 2, {.iterations = 4, .members = 2, .one_try = true}, some),
           hand_out_test<schedule>("adaptive/alone", 1, {.iterations = 9, .members = 3, .chunk = 1}, some),
           // Member 0 takes back the three that member 1 has left, not half of them.
           calls_test<schedule>("adaptive/takes_back", {.iterations = 12, .members = 2, .chunk = 2}, {0, 1, 0, 0, 0, 0},
                                {9, 2, 1}, some)},
          "R"};  // its words are the open range's
}

TEST(adaptive, hands_out_each_iteration_once) { expect_holds(tested()); }
TEST(adaptive, mutants) { expect_mutants_killed(tested()); }

}  // namespace
}  // namespace steelyard::model
