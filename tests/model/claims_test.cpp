// SPDX-License-Identifier: Apache-2.0
// The preassigned schedules (steal.md, "Preassigned shares").
#include "schedules/claims.hpp"

#include "hand_out.hpp"
#include "schedules/cyclic.hpp"
#include "schedules/static.hpp"

namespace steelyard::model {
namespace {

template <template <class> class Schedule>
protocol tested(const std::string& name) {
  using schedule = Schedule<sync::model>;
  return {name,
          {hand_out_test<schedule>(name + "/two", 2, {.iterations = 5, .members = 2}),
           hand_out_test<schedule>(name + "/chunks", 2, {.iterations = 9, .members = 2, .chunk = 2}),
           hand_out_test<schedule>(name + "/one_never_comes", 2, {.iterations = 5, .members = 3}),
           hand_out_test<schedule>(name + "/all_come", 2,
                                   {.iterations = 5, .members = 2, .front_end = {.all_arrive = true}}),
           hand_out_test<schedule>(name + "/three", 3, {.iterations = 4, .members = 3})}};
}

template <template <class> class Schedule>
void expect_right(const std::string& name) {
  expect_holds(tested<Schedule>(name));
  expect_mutants_killed(tested<Schedule>(name));
}

TEST(claims, static_blocks) { expect_right<schedules::static_blocks>("static"); }
TEST(claims, cyclic) { expect_right<schedules::cyclic>("cyclic"); }

}  // namespace
}  // namespace steelyard::model
