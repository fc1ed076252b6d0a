// SPDX-License-Identifier: Apache-2.0
#include "runtime/seats.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <set>
#include <thread>
#include <vector>

#include "runtime/pool.hpp"

namespace {

using steelyard::runtime::own;
using steelyard::runtime::pool;
using steelyard::runtime::seats;
using steelyard::runtime::task_thread;
using steelyard::runtime::tasks_aside;

std::uint32_t seated_in(const pool& of) {
  std::uint32_t count = 0;
  of.its_tasks().seats.any([&count](const task_thread&) { return ++count == 0; });
  return count;
}

TEST(Seats, AWalkBeginsAnywhereAndGoesToAll) {
  pool three(3);
  ASSERT_TRUE(three.enter_tasks());
  const auto& all = three.its_tasks().seats;
  ASSERT_EQ(all.taken(), 4U);
  for (std::uint32_t first = 0; first < 4; ++first) {
    std::vector<const task_thread*> met;
    EXPECT_FALSE(all.any_from(first, [&met](const task_thread& thread) {
      met.push_back(&thread);
      return false;
    }));
    ASSERT_EQ(met.size(), 4U);
    EXPECT_EQ(met.front(), first < 3 ? &all[first] : own) << "the guest is the last";
    EXPECT_EQ(std::set(met.begin(), met.end()).size(), 4U);
    std::uint32_t before = 0;
    EXPECT_TRUE(all.any_from(first, [&](const task_thread& thread) { return ++before == 3 && &thread == met[2]; }));
    EXPECT_EQ(before, 3U);
  }
  seats::leave();
}

TEST(Seats, AGuestHasItsDequesUntilItHasLeftAsOftenAsItEntered) {
  pool none(0);
  EXPECT_EQ(own, nullptr);
  ASSERT_TRUE(none.enter_tasks());
  ASSERT_NE(own, nullptr);
  EXPECT_EQ(steelyard_forks, reinterpret_cast<steelyard_tasks*>(&own->forks));
  EXPECT_EQ(steelyard_spawned, reinterpret_cast<steelyard_tasks*>(&own->spawned));
  EXPECT_EQ(seated_in(none), 1U);
  EXPECT_TRUE(none.enter_tasks());
  seats::leave();
  EXPECT_NE(steelyard_forks, nullptr);
  seats::leave();
  EXPECT_EQ(steelyard_forks, nullptr);
  EXPECT_EQ(steelyard_spawned, nullptr);
  EXPECT_EQ(own, nullptr);
  EXPECT_EQ(seated_in(none), 0U);
}

TEST(Seats, AJoinUnderWayKeepsTheSeat) {
  pool none(0);
  ASSERT_TRUE(none.enter_tasks());
  ASSERT_TRUE(own->forks.push() || (own->forks.look_up(), true));
  seats::leave();
  ASSERT_NE(own, nullptr);
  ASSERT_TRUE(own->forks.pop(none.its_tasks().seats.finder()));
  seats::leave_at_last();
  EXPECT_EQ(own, nullptr);
}

TEST(Seats, ThereIsNoSeatForOneMoreGuest) {
  pool none(0);
  std::atomic<std::uint32_t> entered{0};
  std::atomic<bool> over{false};
  std::vector<std::thread> guests;
  for (std::uint32_t i = 0; i < seats::guests; ++i) {
    guests.emplace_back([&] {
      const bool in = none.enter_tasks();
      ++entered;
      while (!over) std::this_thread::yield();
      EXPECT_TRUE(in);
      if (in) seats::leave();
    });
  }
  while (entered != seats::guests) std::this_thread::yield();
  EXPECT_EQ(seated_in(none), seats::guests);
  EXPECT_FALSE(none.enter_tasks());
  over = true;
  for (auto& each : guests) each.join();
  EXPECT_EQ(seated_in(none), 0U);
  ASSERT_TRUE(none.enter_tasks());
  seats::leave();
}

TEST(Seats, TasksAsideAreOutOfSightInAnotherPoolOnly) {
  pool first(0);
  pool second(0);
  ASSERT_TRUE(first.enter_tasks());
  auto* const before = own;
  {
    const tasks_aside same(first.its_tasks());
    EXPECT_EQ(own, before);
    const tasks_aside other(second.its_tasks());
    EXPECT_EQ(own, nullptr);
    EXPECT_EQ(steelyard_forks, nullptr);
    ASSERT_TRUE(second.enter_tasks());
    EXPECT_NE(own, before);
    seats::leave();
  }
  EXPECT_EQ(own, before);
  EXPECT_EQ(steelyard_forks, reinterpret_cast<steelyard_tasks*>(&before->forks));
  seats::leave();
}

}  // namespace
