// SPDX-License-Identifier: Apache-2.0
// How tasks come to who runs them.
#include <algorithm>
#include <bit>

#include "runtime/nearest_first.hpp"
#include "runtime/stack.hpp"
#include "runtime/tasks_here.hpp"
#include "support/ticks.hpp"
#include "sync/hand_over.hpp"
#include "sync/patience.hpp"

namespace steelyard::runtime {

namespace {

[[gnu::tls_model("initial-exec")]] constinit thread_local stack_half room;

}  // namespace

bool tasks::may_help() noexcept { return room.is_here(); }

bool tasks::steal(task_thread& self, const void* root) noexcept {
  const auto from = [&](task_thread& thread) {
    if (&thread == &self) return false;
    for (task_deque* deque : {&thread.forks, &thread.spawned}) {
      if (deque->has_some(root) && may_help() && steal_from(self, *deque, root)) {
        run_stolen(self, deque == &thread.forks);
        return true;
      }
    }
    return false;
  };
  const auto here = be_here(self);
  if (at_random_) return at_random(self, from);
  const auto all = [&](auto f) { return any_thread(self.number + 1, f); };
  const auto distance = [here](const task_thread& thread) {
    return topology::distance(here, thread.place.load(sync::relaxed, sync::site{"K13"}));
  };
  return nearest_first(all, distance, from);
}

/// From one at random on, until f(thread) is true.
template <class F>
bool tasks::at_random(task_thread& self, F f) const noexcept {
  auto& dice = self.dice;  // xorshift (Marsaglia 2003)
  dice ^= dice << 13;
  dice ^= dice >> 17;
  dice ^= dice << 5;
  const auto seated = static_cast<std::uint32_t>(std::popcount(seated_.load(sync::relaxed, sync::site{"K5"})));
  const auto first = dice % std::max(workers_ + seated, 1U);
  std::uint32_t met = 0;
  if (any_thread(0, [&](task_thread& thread) { return met++ >= first && f(thread); })) return true;
  met = 0;
  return any_thread(0, [&](task_thread& thread) { return met++ < first && f(thread); });
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
  sync::receive(self.got);
  if (forked) return run_fork(self, *self.got);
  task_slot copy;
  copy.assign(self.wish.copy());
  run_spawned(self, copy);
}

void tasks::spawn(steelyard_group& group, int (*run)(steelyard_task*), const void* what, std::size_t bytes) noexcept {
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
  if (!deque.push()) pushed(*steelyard_spawned);
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
  sync::hand_over(&task);
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
  sync::hand_over(group);
  tasks& home = group->owner != nullptr ? *thread_of(*group->owner).of : *this;
  if (counted_by_others(*group).end()) home.wake_all();
}

/// Runs the own spawned tasks from `down_to` on that no thief has.
void tasks::run_leftovers(task_thread& self, task_slot* down_to) noexcept {
  if (__builtin_expect(self.measured != nullptr, 0)) return run_measured_leftovers(self, down_to);
  auto& deque = self.spawned;
  task_slot* highest = down_to;
  while (deque.young() > down_to) {
    highest = std::max(highest, deque.young());
    if (!deque.pop(finder())) {
      deque.free_from(down_to, finder());
      break;
    }
    run_youngest(self);
  }
  self.memory[1].give_back(down_to, highest);
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
