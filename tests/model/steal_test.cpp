// SPDX-License-Identifier: Apache-2.0
#include "schedules/steal.hpp"

#include "hand_out.hpp"

namespace steelyard::model {
namespace {

using schedule = schedules::steal<sync::model>;

protocol tested() {
  return {"steal",
          {hand_out_test<schedule>("steal/two", 2, {.iterations = 4, .members = 2}),
           hand_out_test<schedule>("steal/one_never_comes", 2, {.iterations = 4, .members = 3})}};
}

TEST(steal, hands_out_each_iteration_once) { expect_holds(tested()); }
TEST(steal, mutants) { expect_mutants_killed(tested()); }

}  // namespace
}  // namespace steelyard::model
