// SPDX-License-Identifier: Apache-2.0
// The self-scheduled schedules: one shared word each (schedules/chunks/chunks.md).
#include "hand_out.hpp"
#include "schedules/chunks/dynamic.hpp"
#include "schedules/chunks/fac.hpp"
#include "schedules/chunks/factoring.hpp"
#include "schedules/chunks/guided.hpp"
#include "schedules/chunks/tfss.hpp"
#include "schedules/chunks/trapezoid.hpp"

namespace steelyard::model {
namespace {

template <template <class> class Schedule>
void expect_right(const std::string& name) {
  using schedule = Schedule<sync::model>;
  expect_each_once<schedule>(name, {hand_out_test<schedule>(name + "/three", 3, {.iterations = 3, .members = 3})});
}

TEST(counters, dynamic) { expect_right<schedules::dynamic>("dynamic"); }
TEST(counters, guided) { expect_right<schedules::guided>("guided"); }
TEST(counters, trapezoid) { expect_right<schedules::trapezoid>("trapezoid"); }
TEST(counters, tfss) { expect_right<schedules::tfss>("tfss"); }
TEST(counters, fac) { expect_right<schedules::fac>("fac"); }
TEST(counters, factoring) { expect_right<schedules::factoring>("factoring"); }

}  // namespace
}  // namespace steelyard::model
