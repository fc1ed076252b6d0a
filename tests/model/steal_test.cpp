// SPDX-License-Identifier: Apache-2.0
#include "schedules/steal.hpp"

#include "hand_out.hpp"

namespace steelyard::model {
namespace {

using schedule = schedules::steal<sync::model>;

protocol tested() {
  return {"steal",
          {hand_out_test<schedule>("steal/two", 2, {.iterations = 6, .members = 2}),
           hand_out_test<schedule>("steal/chunks", 2, {.iterations = 9, .members = 2, .chunk = 2}),
           hand_out_test<schedule>("steal/one_never_comes", 2, {.iterations = 5, .members = 3}),
           // A thief robbed in turn, and a word that comes back to what it was (ABA).
           hand_out_test<schedule>("steal/three", 3, {.iterations = 3, .members = 3}),
           hand_out_test<schedule>("steal/alone", 1, {.iterations = 12, .members = 3})}};
}

TEST(steal, hands_out_each_iteration_once) { expect_holds(tested()); }
TEST(steal, mutants) { expect_mutants_killed(tested()); }

}  // namespace
}  // namespace steelyard::model
