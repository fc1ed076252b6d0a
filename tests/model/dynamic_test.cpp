// SPDX-License-Identifier: Apache-2.0
#include "schedules/dynamic.hpp"

#include "hand_out.hpp"

namespace steelyard::model {
namespace {

using schedule = schedules::dynamic<sync::model>;

protocol tested() {
  return {"dynamic",
          {hand_out_test<schedule>("dynamic/two", 2, {.iterations = 5, .members = 2, .chunk = 2}),
           hand_out_test<schedule>("dynamic/three", 3, {.iterations = 3, .members = 3, .chunk = 1})}};
}

TEST(dynamic, hands_out_each_iteration_once) { expect_holds(tested()); }
TEST(dynamic, mutants) { expect_mutants_killed(tested()); }

}  // namespace
}  // namespace steelyard::model
