// SPDX-License-Identifier: Apache-2.0
#include "runtime/theft.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <thread>

#include "in_pool.hpp"
#include "runtime/groups.hpp"
#include "runtime/own_tasks.hpp"
#include "runtime/pool.hpp"

namespace {

namespace groups = steelyard::runtime::groups;
namespace own_tasks = steelyard::runtime::own_tasks;
using steelyard::runtime::own;
using steelyard::runtime::pool;
using steelyard::runtime::seats;
using steelyard::runtime::task_slot;
using steelyard::runtime::theft;

std::atomic<int> begun{0};
std::thread::id ran_on;

int note(steelyard_task*) {
  ran_on = std::this_thread::get_id();
  ++begun;
  return 0;
}

class Theft : public runtime_tests::in_pool {
 protected:
  Theft() : in_pool(1) {
    begun = 0;
    ran_on = {};
  }
  static void wait_for(int tasks) {
    while (begun != tasks) std::this_thread::yield();
  }
};

TEST_F(Theft, AnIdleWorkerRunsWhatIsSpawned) {
  steelyard_group group{0, 0, steelyard_spawned, steelyard_spawned->tail};
  const char nothing = 0;
  groups::spawn(group, note, &nothing, sizeof nothing);
  wait_for(1);  // this thread pops nothing meanwhile
  groups::wait(group);
  EXPECT_NE(ran_on, std::this_thread::get_id());
  EXPECT_EQ(pool_.its_tasks().counts().stolen, 1U);
  EXPECT_EQ(pool_.its_tasks().counts_of(1).stolen, 1U);
  EXPECT_EQ(pool_.its_tasks().counts_of(0).stolen, 0U);
}

TEST_F(Theft, AForkLeavesItsResultInItsSlot) {
  auto* const slot = static_cast<task_slot*>(own->forks.young());
  slot->run = [](steelyard_task* task) {
    const int result = 7;
    std::memcpy(task->payload, &result, sizeof result);
    return note(task);
  };
  if (!own->forks.push()) own_tasks::pushed(*steelyard_forks);
  wait_for(1);
  ASSERT_FALSE(steelyard::v1::detail::pop_to(own->forks, slot));
  EXPECT_EQ(own_tasks::popped(*slot), 1);
  int result = 0;
  std::memcpy(&result, slot->payload, sizeof result);
  EXPECT_EQ(result, 7);
}

TEST_F(Theft, NobodyStealsFromItself) {
  pool alone(0);
  const steelyard::runtime::tasks_aside aside(alone.its_tasks());
  ASSERT_TRUE(alone.enter_tasks());
  steelyard_group group{0, 0, steelyard_spawned, steelyard_spawned->tail};
  const char nothing = 0;
  groups::spawn(group, note, &nothing, sizeof nothing);
  EXPECT_FALSE(alone.its_tasks().theft.steal(*own, nullptr));
  EXPECT_EQ(begun, 0);
  groups::wait(group);
  EXPECT_EQ(begun, 1);
  seats::leave();
}

TEST_F(Theft, AThreadWithAnEmptyStackMayHelp) { EXPECT_TRUE(theft::may_help()); }

}  // namespace
