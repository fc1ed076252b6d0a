// SPDX-License-Identifier: Apache-2.0
#include "runtime/own_tasks.hpp"

#include <algorithm>

#include "runtime/another_task.hpp"
#include "runtime/groups.hpp"
#include "runtime/tasks.hpp"
#include "sync/hand_over.hpp"

namespace steelyard::runtime::own_tasks {
namespace {

/// The spawned task that has just been popped.
void run_youngest(task_thread& self) noexcept {
  task_slot copy;
  copy.assign(*self.spawned.young());
  {
    const another_task here;
    copy.run(&copy);
  }
  groups::ended(groups::group_of(copy), *self.of);
}

template <void (*RunYoungest)(task_thread&) noexcept>
void each_down_to(task_thread& self, task_slot* down_to) noexcept {
  auto& deque = self.spawned;
  task_slot* highest = down_to;
  while (deque.young() > down_to) {
    highest = std::max(highest, deque.young());
    if (!deque.pop(self.of->seats.finder())) {
      deque.free_from(down_to, self.of->seats.finder());
      break;
    }
    RunYoungest(self);
  }
  self.memory[1].give_back(down_to, highest);
}

}  // namespace

bool pushed(steelyard_tasks& words) noexcept {
  task_thread& self = *own;
  const bool forked = &words != steelyard_spawned;
  task_deque& deque = forked ? self.forks : self.spawned;
  deque.look_up();
  auto& all = *self.of;
  if (self.measured != nullptr) measuring::push(self, forked);
  all.waiting.wake_for_task();
  if (!deque.is_full()) return true;
  deque.pop(all.seats.finder());
  if (forked) {
    if (self.measured != nullptr) measuring::forget_fork(self);
    return false;
  }
  self.measured != nullptr ? measuring::run_youngest(self) : run_youngest(self);
  // Thieves have copies of what they took.
  if (!deque.has_some(nullptr)) {
    deque.free_from(std::max(deque.floor(), self.memory[1].all().data()), all.seats.finder());
  }
  return true;
}

std::uint64_t forks_left() noexcept { return own->forks.room(); }

int popped(task_slot& task) noexcept {
  task_thread& self = *own;
  auto& all = *self.of;
  if (self.forks.pop_slowly(&task, all.seats.finder())) {
    return self.measured != nullptr ? measuring::run_fork(self, task) : 0;
  }
  auto& word = task.become();
  await(
      self, &task, [&word] { return word.has_ended(); }, [&word] { word.say_asleep(); });
  sync::receive(&task);
  self.forks.free_from(&task, all.seats.finder());
  return word.has_failed() ? 2 : 1;
}

void run_spawned_since(void* down_to) noexcept { run_down_to(*own, static_cast<task_slot*>(down_to)); }

void run_down_to(task_thread& self, task_slot* down_to) noexcept {
  if (__builtin_expect(self.measured != nullptr, 0)) return each_down_to<measuring::run_youngest>(self, down_to);
  each_down_to<run_youngest>(self, down_to);
}

}  // namespace steelyard::runtime::own_tasks
