// SPDX-License-Identifier: Apache-2.0
#include "runtime/theft.hpp"

#include <algorithm>
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
#include "support/say.hpp"
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
    support::say("'%.80s' in STEELYARD_VICTIMS is ignored; write near or random", text);
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

/// Runs a task that this thread has stolen, and what it has left over; of that group, or a fork. Whether it threw. It is not inlined: this
/// frame lies below whatever a waiting thread runs.
[[gnu::noinline]] int run_descending(task_thread& self, task_slot& task, const steelyard_group* group) noexcept {
  const auto& above = self.wish.above();
  const descending here(self, group == nullptr ? lineage::of_fork(&task, above) : lineage::of_member(group, above));
  task_slot* const level = self.spawned.young();
  const auto* const before = std::exchange(self.left_over, nullptr);
  const int threw = task.run(&task);
  self.left_over = group;
  own_tasks::run_down_to(self, level);
  self.left_over = before;
  return threw;
}

void run_fork(task_thread& self, task_slot& task) noexcept {
  const int threw = run_descending(self, task, nullptr);
  sync::hand_over(&task);
  if (task.become().end(threw != 0)) self.of->waiting.wake_waiters();
}

void run_spawned(task_thread& self) noexcept {
  task_slot task;
  task.assign(self.wish.copy());
  steelyard_group* const group = groups::group_of(task);
  run_descending(self, task, group);
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
  const auto walk = [&](auto f, auto enough) {
    const auto others = [&self, &f](task_thread& thread) { return &thread != &self && f(thread); };
    return at_random_ ? self.of->seats.any_from(roll(self), others) : any_nearest_first(self, here, others, enough);
  };
  const auto take = [&](task_thread& from, task_deque& deque) {
    if (!deque.has_some(root) || !may_help() || !get_from(deque, self, root)) return false;
    run_stolen(self, &deque == &from.forks);
    return true;
  };
  richest<task_thread, task_deque> found;
  walk([&](task_thread& thread) { return found.meet(thread, root); }, [&found] { return found.thread != nullptr; });
  if (found.thread == nullptr) return false;
  if (take(*found.thread, *found.deque)) return true;
  // Others were before us there, or its owner has lost its core.
  const auto of_another = [&](task_thread& thread) {
    return &thread != found.thread && (take(thread, thread.forks) || take(thread, thread.spawned));
  };
  return walk(of_another, [] { return false; });
}

}  // namespace steelyard::runtime
