// SPDX-License-Identifier: Apache-2.0
// The preassigned schedules (steal.md, "Preassigned shares").
#include "schedules/claims.hpp"

#include "hand_out.hpp"
#include "schedules/cyclic.hpp"
#include "schedules/static.hpp"

namespace steelyard::model {
namespace {

template <template <class> class Schedule>
void expect_right(const std::string& name) {
  using schedule = Schedule<sync::model>;
  expect_each_once<schedule>(
      name, {hand_out_test<schedule>(name + "/one_never_comes", 2, {.iterations = 5, .members = 3}),
             hand_out_test<schedule>(name + "/all_come", 2,
                                     {.iterations = 5, .members = 2, .front_end = {.all_arrive = true}}),
             hand_out_test<schedule>(name + "/three", 3, {.iterations = 4, .members = 3})});
}

TEST(claims, static_blocks) { expect_right<schedules::static_blocks>("static"); }
TEST(claims, cyclic) { expect_right<schedules::cyclic>("cyclic"); }

}  // namespace
}  // namespace steelyard::model
