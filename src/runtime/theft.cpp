// SPDX-License-Identifier: Apache-2.0
// How tasks come to who runs them.
#include <algorithm>

#include "runtime/nearest_first.hpp"
#include "runtime/stack.hpp"
#include "runtime/tasks_here.hpp"
#include "support/ticks.hpp"
#include "sync/patience.hpp"

namespace steelyard::runtime {

namespace {

[[gnu::tls_model("initial-exec")]] constinit thread_local stack_half room;

}  // namespace

bool tasks::may_help() noexcept { return room.is_here(); }

bool tasks::steal(task_thread& self, const void* root) noexcept {
  const auto here = be_here(self);
  const auto all = [&](auto f) { return any_thread(self.number + 1, f); };
  const auto distance = [here](const task_thread& thread) {
    return topology::distance(here, thread.place.load(sync::relaxed, sync::site{"K13"}));
  };
  return nearest_first(all, distance, [&](task_thread& thread) {
    if (&thread == &self) return false;
    for (task_deque* lot : {&thread.forks, &thread.spawned}) {
      if (lot->has_some(root) && may_help() && steal_from(self, *lot, root)) {
        run_stolen(self, lot == &thread.forks);
        return true;
      }
    }
    return false;
  });
}

/// Whether there is a task now, in wish.
bool tasks::steal_from(task_thread& self, task_deque& victim, const void* root) noexcept {
  self.wish.want(root);
  if (!victim.ask(self.wish, self.number)) return false;
  victim.ring();
  const auto asked = support::ticks();
  bool taken = false;
  for (std::uint32_t turn = 0;; ++turn) {
    const auto answer = self.wish.hear();
    if (answer.what != asker<sync::real, task_slot>::answer::none) {
      self.got = answer.task;
      auto& count = answer.task != nullptr ? self.stolen : self.refused;
      count.store(count.load(sync::relaxed, sync::site{"K11"}) + 1, sync::relaxed, sync::site{"K11"});
      return answer.task != nullptr;
    }
    if (!taken && support::ticks() - asked > sync::patience()) {
      victim.take(finder());
      taken = true;
    }
    sync::real::relax(taken ? turn : turn % 64);
  }
}

void tasks::run_stolen(task_thread& self, bool forked) noexcept {
  if (parking_.some_sleep()) wake_next();
  const another_task here;
  if (forked) return run_fork(self, *self.got);
  task_slot copy;
  copy.assign(self.wish.copy());
  run_spawned(self, copy);
}

void tasks::spawn(steelyard_group& group, int (*run)(steelyard_task*), const void* what, std::size_t bytes) noexcept {
  auto& lot = own->spawned;
  task_slot& slot = *lot.young();
  slot.run = run;
  const auto address = reinterpret_cast<std::uintptr_t>(&group);
  std::memcpy(slot.payload, &address, sizeof address);
  std::memcpy(slot.payload + sizeof address, what, bytes);
  if (group.owner == steelyard_spawned) {
    ++group.here;
    group.start = std::min(group.start, static_cast<steelyard_task*>(&slot));
  } else {
    elsewhere(group).push();
  }
  if (!lot.push()) pushed(*steelyard_spawned);
}

void tasks::run_spawned_since(void* down_to) noexcept {
  own->of->run_leftovers(*own, static_cast<task_slot*>(down_to));
}

void tasks::count_analysed(std::uint64_t more) noexcept {
  auto& count = own->analysed;
  count.store(count.load(sync::relaxed, sync::site{"K11"}) + more, sync::relaxed, sync::site{"K11"});
}

namespace {

/// While a stolen task runs: what its thief pushes descends from `root`.
template <class Find>
class descending {
 public:
  descending(task_thread& thread, const void* root, Find find) noexcept
      : thread_(thread), find_(find), forks_(thread.forks.begin(root, find)),
        spawned_(thread.spawned.begin(root, find)) {}
  ~descending() {
    thread_.forks.be(forks_, find_);
    thread_.spawned.be(spawned_, find_);
  }
  descending(const descending&) = delete;
  descending& operator=(const descending&) = delete;

 private:
  task_thread& thread_;
  Find find_;
  task_deque::origin forks_;
  task_deque::origin spawned_;
};

}  // namespace

void tasks::run_fork(task_thread& self, task_slot& task) noexcept {
  int threw = 0;
  {
    const descending here(self, &task, finder());
    task_slot* const level = self.spawned.young();
    const auto* const before = std::exchange(self.left_over, nullptr);
    threw = task.run(&task);
    run_leftovers(self, level);
    self.left_over = before;
  }
  if (task.become().end(threw != 0)) wake_all();
}

void tasks::run_spawned(task_thread& self, task_slot& task) noexcept {
  steelyard_group* const group = group_of(task);
  {
    const descending here(self, group, finder());
    task_slot* const level = self.spawned.young();
    const auto* const before = std::exchange(self.left_over, nullptr);
    task.run(&task);
    self.left_over = group;
    run_leftovers(self, level);
    self.left_over = before;
  }
  ended(group);
}

/// Counts a task of the group that has ended here. The group may be gone afterwards.
void tasks::ended(steelyard_group* group) noexcept {
  if (group->owner == steelyard_spawned) {
    --group->here;
    return;
  }
  tasks& home = group->owner != nullptr ? *thread_of(*group->owner).of : *this;
  if (elsewhere(*group).end()) home.wake_all();
}

/// Runs the own spawned tasks from `down_to` on that no thief has.
void tasks::run_leftovers(task_thread& self, task_slot* down_to) noexcept {
  auto& lot = self.spawned;
  while (lot.young() > down_to) {
    if (!lot.pop(finder())) return lot.free_from(down_to, finder());
    run_youngest(self);
  }
}

/// The spawned task that has just been popped.
void tasks::run_youngest(task_thread& self) noexcept {
  task_slot copy;
  copy.assign(*self.spawned.young());
  {
    const another_task here;
    copy.run(&copy);
  }
  ended(group_of(copy));
}

}  // namespace steelyard::runtime
