// SPDX-License-Identifier: Apache-2.0
// Where tasks begin and waits end, of paths that are told: no strand lasts here.
#include "runtime/meter.hpp"

#include <gtest/gtest.h>

namespace {

using steelyard::runtime::meter;
using kind = meter::deque_kind;

TEST(Meter, BeginsAtNothing) {
  meter its;
  EXPECT_EQ(its.work(), 0U);
  EXPECT_EQ(its.span(), 0U);
}

TEST(Meter, WaitsForTheLaterOne) {
  meter its;
  its.go_to(5);
  its.wait_for(3);
  EXPECT_EQ(its.here(), 5U);
  its.wait_for(7);
  EXPECT_EQ(its.here(), 7U);
}

/// Several that are pushed at once begin at the same place; those below them where they were pushed.
TEST(Meter, TasksOfALotBeginWhereTheyWerePushed) {
  meter its;
  its.go_to(2);
  its.pushed(kind::forks, 1);
  its.go_to(4);
  its.pushed(kind::forks, 3);
  its.pushed(kind::spawned, 1);
  EXPECT_EQ(its.popped(kind::forks, 2), 4U);
  EXPECT_EQ(its.popped(kind::forks, 1), 4U);
  its.go_to(9);
  its.pushed(kind::forks, 2);
  EXPECT_EQ(its.popped(kind::forks, 1), 9U);
  EXPECT_EQ(its.popped(kind::forks, 0), 2U);
  EXPECT_EQ(its.popped(kind::spawned, 0), 4U);
}

TEST(Meter, AGroupEndsWithItsLastTask) {
  meter its;
  const steelyard_group one{}, other{};
  its.go_to(8);
  its.ended_in(&one);
  its.go_to(6);
  its.ended_in(&one);
  its.wait_for_all(&other);
  EXPECT_EQ(its.here(), 6U);
  its.wait_for_all(&one);
  EXPECT_EQ(its.here(), 8U);
  its.go_to(1);
  its.wait_for_all(&one);  // what ended before has been waited for
  EXPECT_EQ(its.here(), 1U);
}

/// The one that is told last need not be the one that ends last.
TEST(Meter, ATaskBeginsBehindAllThatItWaitsFor) {
  meter its;
  const steelyard_node early{}, late{}, ended{}, after{};
  for (const auto* each : {&early, &late, &ended, &after}) its.begin(each);
  its.go_to(20);
  its.ended(&ended);
  its.go_to(1);
  its.precede(&late, &after, false);
  its.precede(&early, &after, false);
  its.precede(&ended, &after, true);
  its.forked(&after);
  its.go_to(30);
  its.ended(&late);
  its.go_to(10);
  its.ended(&early);
  its.is_next(&after);
  its.pushed(kind::spawned, 1);
  its.pushed(kind::spawned, 2);
  EXPECT_EQ(its.popped(kind::spawned, 1), 10U);  // only the next one
  EXPECT_EQ(its.popped(kind::spawned, 0), 30U);
  its.begin(&after);  // another one in its place
  its.go_to(3);
  its.forked(&after);
  its.is_next(&after);
  its.pushed(kind::spawned, 1);
  EXPECT_EQ(its.popped(kind::spawned, 0), 3U);
}

TEST(Meter, AStrandAddsToWorkAndToThePath) {
  meter its;
  its.go_to(100);
  its.begin_strand();
  for (int i = 0; i < 100'000; ++i) asm volatile("" : "+r"(i));
  its.end_strand();
  EXPECT_GT(its.work(), 0U);
  EXPECT_EQ(its.here(), 100 + its.work());
}

}  // namespace
