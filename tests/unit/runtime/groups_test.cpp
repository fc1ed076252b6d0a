// SPDX-License-Identifier: Apache-2.0
#include "runtime/groups.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstring>
#include <thread>
#include <vector>

#include "runtime/pool.hpp"

namespace {

namespace groups = steelyard::runtime::groups;
using steelyard::runtime::pool;
using steelyard::runtime::seats;

using call = void (*)(void* context);

/// What a task of these tests finds behind its group's address.
struct what {
  call run;
  void* context;
};

int run(steelyard_task* task) {
  what its{};
  std::memcpy(&its, task->payload + sizeof(steelyard_group*), sizeof its);
  its.run(its.context);
  return 0;
}

void spawn(steelyard_group& into, call f, void* context) {
  const what its{f, context};
  groups::spawn(into, run, &its, sizeof its);
}

/// A thread alone in a pool, and a group of its own.
class Groups : public testing::Test {
 protected:
  Groups() {
    entered_ = alone_.enter_tasks();
    group = {0, 0, steelyard_spawned, steelyard_spawned->tail};
  }
  ~Groups() override {
    if (entered_) seats::leave();
  }
  steelyard_group group{};

 private:
  pool alone_{0};
  bool entered_ = false;
};

TEST_F(Groups, AWaitRunsTheYoungestFirst) {
  static std::vector<int> order;
  order.clear();
  int numbers[] = {0, 1, 2};
  for (int& each : numbers)
    spawn(
        group, [](void* at) { order.push_back(*static_cast<int*>(at)); }, &each);
  EXPECT_EQ(groups::pending(group), 3);
  EXPECT_TRUE(order.empty());
  groups::wait(group);
  EXPECT_EQ(groups::pending(group), 0);
  EXPECT_EQ(order, (std::vector{2, 1, 0}));
}

TEST_F(Groups, ATaskHoldsItself) {
  std::uint32_t held = 0;
  struct context {
    steelyard_group& of;
    std::uint32_t& held;
  } its{group, held};
  spawn(
      group,
      [](void* at) {
        const auto& it = *static_cast<context*>(at);
        it.held = groups::held_here(it.of);
      },
      &its);
  groups::wait(group);
  EXPECT_EQ(held, 1U);
}

TEST_F(Groups, TasksThatRunElsewhereAreWaitedFor) {
  groups::push_elsewhere(group);
  EXPECT_EQ(groups::pending(group), 1);
  std::atomic<bool> ended{false};
  std::thread other([this, &ended] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));  // so that it is likely to sleep
    ended = true;
    groups::end_elsewhere(group);
  });
  groups::wait(group);
  EXPECT_TRUE(ended);
  other.join();
}

TEST_F(Groups, AWaitEndsWhenWhoNudgesHasMadeItSo) {
  groups::push_elsewhere(group);
  std::atomic<bool> enough{false};
  std::thread other([this, &enough] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    enough = true;
    groups::nudge(group);
  });
  groups::wait(
      group, [](const void* context) { return static_cast<const std::atomic<bool>*>(context)->load() ? 1 : 0; },
      &enough);
  EXPECT_TRUE(enough);
  EXPECT_EQ(groups::pending(group), 1);
  other.join();
  groups::end_elsewhere(group);
  groups::wait(group);
}

TEST_F(Groups, OneTaskMayBeLeftOver) {
  groups::push_elsewhere(group);
  const steelyard::sync::real::atomic<std::uint32_t> one{1};
  groups::wait(group, one);
  EXPECT_EQ(groups::pending(group), 1);
  groups::end_elsewhere(group);
  groups::wait(group);
}

}  // namespace
