// SPDX-License-Identifier: Apache-2.0
#include "runtime/groups.hpp"

#include <algorithm>

#include "runtime/own_tasks.hpp"
#include "runtime/tasks.hpp"
#include "sync/hand_over.hpp"

namespace steelyard::runtime::groups {
namespace {

group_count<sync::real>& counted_by_others(steelyard_group& group) noexcept {
  return reinterpret_cast<group_count<sync::real>&>(group.elsewhere);
}

template <class Ended>
void wait_until(steelyard_group& group, Ended ended) noexcept {
  task_thread& self = thread_of(*group.owner);
  const tasks_aside others_of_this_thread(*self.of);  // it may be using another pool just now
  if (own != &self) task_thread::use(&self);
  own_tasks::run_down_to(self, static_cast<task_slot*>(group.start));
  await(self, &group, ended, [&group] { counted_by_others(group).say_asleep(); });
  sync::receive(&group);
  if (self.measured != nullptr) measuring::wait(self, group);
}

}  // namespace

void push_elsewhere(steelyard_group& group) noexcept { counted_by_others(group).push(); }

void end_elsewhere(steelyard_group& group) noexcept {
  auto* const owner = group.owner;
  sync::hand_over(&group);
  if (counted_by_others(group).end()) thread_of(*owner).of->waiting.wake_waiters();
}

void wait(steelyard_group& group) noexcept {
  auto& others = counted_by_others(group);
  if (group.owner == nullptr) {
    // Its thread has no tasks; others may have some of the group.
    for (std::uint32_t turn = 0; !others.has_ended(group.here); ++turn) sync::real::relax(turn);
    sync::receive(&group);
    return others.clear();
  }
  wait_until(group, [&] { return others.has_ended(group.here); });
  others.clear();  // nobody else has a task of it; it may be used again
  group.here = 0;
}

void wait(steelyard_group& group, const sync::real::atomic<std::uint32_t>& but) noexcept {
  auto& others = counted_by_others(group);
  wait_until(group, [&] {
    return others.has_ended(group.here) || others.has_ended(group.here - but.load(sync::relaxed, sync::site{"K12"}));
  });
}

void wait(steelyard_group& group, int (*enough)(const void* context), const void* context) noexcept {
  // In this order: who has read the count of a nudge sees what was made so before.
  const auto ended = [&] { return counted_by_others(group).has_ended(group.here) || enough(context) != 0; };
  if (group.owner != nullptr) return wait_until(group, ended);
  for (std::uint32_t turn = 0; !ended(); ++turn) sync::real::relax(turn);
  sync::receive(&group);
}

void nudge(steelyard_group& group) noexcept {
  counted_by_others(group).push();
  end_elsewhere(group);
}

void spawn(steelyard_group& group, int (*run)(steelyard_task*), const void* what, std::size_t bytes) noexcept {
  auto& deque = own->spawned;
  task_slot& slot = *deque.young();
  slot.run = run;
  const auto address = reinterpret_cast<std::uintptr_t>(&group);
  std::memcpy(slot.payload, &address, sizeof address);
  std::memcpy(slot.payload + sizeof address, what, bytes);
  if (group.owner == steelyard_spawned) {
    ++group.here;
    group.start = std::min(group.start, static_cast<steelyard_task*>(&slot));
  } else {
    counted_by_others(group).push();
  }
  sync::hand_over(&slot);
  if (!deque.push()) own_tasks::pushed(*steelyard_spawned);
}

void ended_elsewhere(steelyard_group* group, tasks& here) noexcept {
  sync::hand_over(group);
  tasks& home = group->owner != nullptr ? *thread_of(*group->owner).of : here;
  if (counted_by_others(*group).end()) home.waiting.wake_waiters();
}

std::uint32_t held_here(const steelyard_group& group) noexcept { return own->left_over == &group ? 2 : 1; }

std::int64_t pending(const steelyard_group& group) noexcept {
  return group.here - counted_by_others(const_cast<steelyard_group&>(group)).ended();
}

}  // namespace steelyard::runtime::groups
