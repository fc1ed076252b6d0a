// SPDX-License-Identifier: Apache-2.0
#include "runtime/theft.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "runtime/another_task.hpp"
#include "runtime/groups.hpp"
#include "runtime/nearest_first.hpp"
#include "runtime/own_tasks.hpp"
#include "runtime/richest.hpp"
#include "runtime/stack.hpp"
#include "runtime/tasks.hpp"
#include "support/ticks.hpp"
#include "sync/hand_over.hpp"
#include "sync/patience.hpp"

namespace steelyard::runtime {
namespace {

[[gnu::tls_model("initial-exec")]] constinit thread_local stack_half room;

/// STEELYARD_VICTIMS, for experiments.
bool are_victims_random() noexcept {
  const char* const text = std::getenv("STEELYARD_VICTIMS");
  if (text == nullptr || *text == 0 || std::strcmp(text, "near") == 0) return false;
  if (std::strcmp(text, "random") == 0) return true;
  static sync::real::atomic<bool> said{};
  if (!said.exchange(true, sync::relaxed, sync::site{"K14"})) {
    std::fprintf(stderr, "steelyard: '%s' in STEELYARD_VICTIMS is ignored; write near or random\n", text);
  }
  return false;
}

/// Which of those that have tasks is met first.
std::uint32_t roll(task_thread& self) noexcept {
  auto& dice = self.dice;  // xorshift (Marsaglia 2003)
  dice ^= dice << 13;
  dice ^= dice >> 17;
  dice ^= dice << 5;
  return dice % std::max(self.of->seats.taken(), 1U);
}

/// Until f(thread) is true, those first that run near `here`, and no farther when enough() is. Of those that are equally near from one
/// at random on: thieves that went by their numbers would meet each other first, with what the last one has just stolen, and whoever
/// has most only at the end.
template <class F, class Enough>
bool any_nearest_first(task_thread& self, topology::place here, F f, Enough enough) noexcept {
  const auto all = [&self, first = roll(self)](auto g) { return self.of->seats.any_from(first, g); };
  const auto distance = [here](const task_thread& thread) {
    return topology::distance(here, thread.place.load(sync::relaxed, sync::site{"K13"}));
  };
  return nearest_first(all, distance, f, enough);
}

/// Whether there is a task now, in wish.
bool get_from(task_deque& victim, task_thread& self, const void* root) noexcept {
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
      victim.take(self.of->seats.finder());
      taken = true;
    }
    sync::real::relax(taken ? turn : turn % 64);
  }
}

/// While a stolen task runs: what its thief pushes descends from that.
class descending {
 public:
  descending(task_thread& thread, const lineage& what) noexcept : thread_(thread), before_(thread.above), its_(what) {
    its_.frames = room.below(this);
    thread.above = &its_;
    forks_ = thread.forks.begin(its_, thread.of->seats.finder());
    spawned_ = thread.spawned.begin(its_, thread.of->seats.finder());
  }
  ~descending() {
    thread_.above = before_;
    thread_.forks.be(*before_, forks_, thread_.of->seats.finder());
    thread_.spawned.be(*before_, spawned_, thread_.of->seats.finder());
  }
  descending(const descending&) = delete;
  descending& operator=(const descending&) = delete;

 private:
  task_thread& thread_;
  const lineage* before_;
  lineage its_;
  task_slot* forks_;
  task_slot* spawned_;
};

// Neither is inlined: their frames lie below what a waiting thread runs, and only one of them is needed.
[[gnu::noinline]] void run_fork(task_thread& self, task_slot& task) noexcept {
  int threw = 0;
  {
    const descending here(self, lineage::of_fork(&task, self.wish.above()));
    task_slot* const level = self.spawned.young();
    const auto* const before = std::exchange(self.left_over, nullptr);
    threw = task.run(&task);
    own_tasks::run_down_to(self, level);
    self.left_over = before;
  }
  sync::hand_over(&task);
  if (task.become().end(threw != 0)) self.of->waiting.wake_waiters();
}

[[gnu::noinline]] void run_spawned(task_thread& self) noexcept {
  task_slot task;
  task.assign(self.wish.copy());
  steelyard_group* const group = groups::group_of(task);
  {
    const descending here(self, lineage::of_member(group, self.wish.above()));
    task_slot* const level = self.spawned.young();
    const auto* const before = std::exchange(self.left_over, nullptr);
    task.run(&task);
    self.left_over = group;
    own_tasks::run_down_to(self, level);
    self.left_over = before;
  }
  groups::ended(group, *self.of);
}

void run_stolen(task_thread& self, bool forked) noexcept {
  self.of->waiting.wake_next();
  const another_task here;
  sync::receive(self.got);
  forked ? run_fork(self, *self.got) : run_spawned(self);
}

}  // namespace

theft::theft() : at_random_(are_victims_random()) {}

bool theft::may_help() noexcept { return room.is_here(); }

bool theft::steal(task_thread& self, const void* root) const noexcept {
  const auto here = self.be_here();
  richest<task_thread, task_deque> found;
  const auto walk = [&](auto f) {
    const auto others = [&self, &f](task_thread& thread) { return &thread != &self && f(thread); };
    if (at_random_) return self.of->seats.any_from(roll(self), others);
    return any_nearest_first(self, here, others, [&found] { return found.thread != nullptr; });
  };
  const auto take = [&](task_thread& from, task_deque& deque) {
    if (!may_help() || !get_from(deque, self, root)) return false;
    run_stolen(self, &deque == &from.forks);
    return true;
  };
  walk([&](task_thread& thread) { return found.meet(thread, root); });
  if (found.thread == nullptr) return false;
  const auto* const refuses = found.thread;
  if (take(*found.thread, *found.deque)) return true;
  // Others were before us there, or its owner has lost its core.
  found = {};
  return walk([&](task_thread& thread) {
    return &thread != refuses && ((thread.forks.has_some(root) && take(thread, thread.forks)) ||
                                  (thread.spawned.has_some(root) && take(thread, thread.spawned)));
  });
}

}  // namespace steelyard::runtime
