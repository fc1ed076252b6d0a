// SPDX-License-Identifier: Apache-2.0
#include "runtime/own_tasks.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>

#include "in_pool.hpp"
#include "runtime/groups.hpp"

namespace {

namespace groups = steelyard::runtime::groups;
namespace own_tasks = steelyard::runtime::own_tasks;
using steelyard::runtime::own;
using steelyard::runtime::task_slot;

int count(steelyard_task* task) {
  int* at = nullptr;
  std::memcpy(&at, task->payload + sizeof(steelyard_group*), sizeof at);
  ++*at;
  return 0;
}

class OwnTasks : public runtime_tests::in_pool {
 protected:
  OwnTasks() : in_pool(0) {}
};

TEST_F(OwnTasks, APushLooksOnceAfterARing) {
  EXPECT_FALSE(own->forks.push());
  EXPECT_TRUE(own_tasks::pushed(*steelyard_forks));
  EXPECT_TRUE(own->forks.push());
  own->forks.ring_push();
  EXPECT_FALSE(own->forks.push());
  EXPECT_TRUE(own_tasks::pushed(*steelyard_forks));
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(own->forks.pop(pool_.its_tasks().seats.finder()));
}

TEST_F(OwnTasks, AForkThatNobodyTookIsTheCallers) {
  auto* const slot = static_cast<task_slot*>(own->forks.young());
  if (!own->forks.push()) own_tasks::pushed(*steelyard_forks);
  own->forks.ring();  // as a thief that goes away again
  EXPECT_FALSE(steelyard::v1::detail::pop_to(own->forks, slot));
  EXPECT_EQ(own_tasks::popped(*slot), 0);
  EXPECT_EQ(own->forks.young(), slot);
}

TEST_F(OwnTasks, AFullDequeTakesNoFork) {
  const auto room = own_tasks::forks_left();
  for (std::uint64_t i = 0; i < room; ++i) {
    if (own->forks.push()) continue;
    ASSERT_TRUE(own_tasks::pushed(*steelyard_forks));
  }
  EXPECT_EQ(own_tasks::forks_left(), 0U);
  ASSERT_FALSE(own->forks.push());
  EXPECT_FALSE(own_tasks::pushed(*steelyard_forks));
  EXPECT_EQ(own_tasks::forks_left(), 0U);
  for (std::uint64_t i = 0; i < room; ++i) ASSERT_TRUE(own->forks.pop(pool_.its_tasks().seats.finder()));
}

TEST_F(OwnTasks, OnlyWhatWasSpawnedSinceRuns) {
  steelyard_group group{0, 0, steelyard_spawned, steelyard_spawned->tail};
  int before = 0;
  int since = 0;
  const auto spawn = [&group](int& counter) {
    int* const at = &counter;
    groups::spawn(group, count, &at, sizeof at);
  };
  spawn(before);
  void* const level = steelyard_spawned->tail;
  spawn(since);
  spawn(since);
  own_tasks::run_spawned_since(level);
  EXPECT_EQ(since, 2);
  EXPECT_EQ(before, 0);
  groups::wait(group);
  EXPECT_EQ(before, 1);
}

}  // namespace
