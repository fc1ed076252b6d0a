// SPDX-License-Identifier: Apache-2.0
#include "schedules/random.hpp"

#include "hand_out.hpp"

namespace steelyard::model {
namespace {

using schedule = schedules::random<sync::model>;

protocol::test two() { return hand_out_test<schedule>("random/two", 2, {.iterations = 7, .members = 2}); }

protocol tested() {
  return {"random",
          {two(), hand_out_test<schedule>("random/one_never_comes", 2, {.iterations = 4, .members = 3}),
           hand_out_test<schedule>("random/three", 3, {.iterations = 2, .members = 3}),
           hand_out_test<schedule>("random/many", 3, {.iterations = 24, .members = 3}, {.random = 20000})}};
}

TEST(random, hands_out_each_iteration_once) { expect_holds(tested()); }
TEST(random, robs_a_thief) { expect_steals(two(), "1 1"); }
TEST(random, mutants) { expect_mutants_killed(tested()); }

}  // namespace
}  // namespace steelyard::model
