// SPDX-License-Identifier: Apache-2.0
#include "runtime/tasks.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <type_traits>

#include "support/ticks.hpp"
#include "sync/patience.hpp"

STEELYARD_THREAD steelyard_tasks* steelyard_forks = nullptr;
STEELYARD_THREAD steelyard_tasks* steelyard_spawned = nullptr;

namespace steelyard::runtime {
namespace {

static_assert(std::is_standard_layout_v<task_deque>, "its first words are those of steelyard_tasks");

/// Stacks are smaller than so many joins need.
constexpr std::size_t most_forks = std::size_t{1} << 17;
constexpr std::size_t most_spawned = std::size_t{1} << 22;

[[gnu::tls_model("initial-exec")]] constinit thread_local task_thread* own = nullptr;
[[gnu::tls_model("initial-exec")]] constinit thread_local std::uint32_t depth = 0;  ///< a guest's calls of enter

void use(task_thread* thread) noexcept {
  own = thread;
  steelyard_forks = thread != nullptr ? reinterpret_cast<steelyard_tasks*>(&thread->forks) : nullptr;
  steelyard_spawned = thread != nullptr ? reinterpret_cast<steelyard_tasks*>(&thread->spawned) : nullptr;
}

steelyard_group* group_of(const task_slot& task) noexcept {
  std::uintptr_t address = 0;
  std::memcpy(&address, task.payload, sizeof address);
  return reinterpret_cast<steelyard_group*>(address);
}

static_assert(std::is_standard_layout_v<task_thread>);

/// Whose lot of spawned tasks that is.
task_thread& thread_of(steelyard_tasks& spawned) noexcept {
  return *reinterpret_cast<task_thread*>(reinterpret_cast<std::byte*>(&spawned) - offsetof(task_thread, spawned));
}

tally<sync::real>& elsewhere(steelyard_group& group) noexcept {
  return reinterpret_cast<tally<sync::real>&>(group.elsewhere);
}

}  // namespace

tasks::tasks(std::uint32_t workers, parking<sync::real>& sleepers, wake_ups& waking)
    : workers_(workers), parking_(sleepers), waking_(waking), threads_(new task_thread[workers + guests]) {
  for (std::uint32_t i = 0; i < workers + guests; ++i) {
    threads_[i].of = this;
    threads_[i].number = i;
  }
}

steelyard_task_counts tasks::counts() const noexcept {
  steelyard_task_counts all{};
  for (std::uint32_t i = 0; i < workers_ + guests; ++i) {
    all.stolen += threads_[i].stolen.load(sync::relaxed, sync::site{"K11"});
    all.refused += threads_[i].refused.load(sync::relaxed, sync::site{"K11"});
  }
  return all;
}

auto tasks::finder() noexcept {
  return [this](std::uint32_t number) -> auto& { return threads_[number].wish; };
}

bool tasks::sit_down(task_thread& thread) noexcept {
  if (thread.memory[1].all().empty()) {
    sync::real::prepare_membarrier();
    if (sync::real::fences()) return false;  // pushes and pops have no fence that a thief's could meet
    if (!thread.memory[0].reserve(most_forks) || !thread.memory[1].reserve(most_spawned)) return false;
    const auto begin = [](task_deque& deque, std::span<task_slot> in) { deque.use(in.data(), in.data() + in.size()); };
    begin(thread.forks, thread.memory[0].all());
    begin(thread.spawned, thread.memory[1].all());
  }
  use(&thread);
  // A worker that does not see this has not announced its sleep yet when the first push looks.
  used_.store(1, sync::seq_cst, sync::site{"K1"});
  return true;
}

void tasks::enter_worker(std::uint32_t number) noexcept {
  if (own == nullptr) sit_down(threads_[number]);
}

bool tasks::enter() noexcept {
  if (own != nullptr) {
    if (own->of != this || own->number < workers_) return false;
    ++depth;
    return true;
  }
  std::uint64_t seated = seated_.load(sync::relaxed, sync::site{"K2"});
  std::uint32_t seat = 0;
  do {
    seat = static_cast<std::uint32_t>(std::countr_one(seated));
    if (seat >= guests) return false;
  } while (!seated_.compare_exchange(seated, seated | std::uint64_t{1} << seat, sync::acquire, sync::relaxed,
                                     sync::site{"K3"}));
  task_thread& thread = threads_[workers_ + seat];
  if (!sit_down(thread)) {
    stand_up(thread);
    return false;
  }
  thread.forks.ring_push();  // whoever sleeps by now has rung for somebody else
  thread.spawned.ring_push();
  depth = 1;
  return true;
}

void tasks::leave() noexcept {
  if (--depth != 0) return;
  task_thread& thread = *own;
  thread.of->run_leftovers(thread, thread.memory[1].all().data());
  use(nullptr);
  thread.of->stand_up(thread);
}

void tasks::stand_up(task_thread& thread) noexcept {
  seated_.fetch_add(0 - (std::uint64_t{1} << (thread.number - workers_)), sync::release, sync::site{"K4"});
}

template <class F>
bool tasks::any_thread(F f) const noexcept {
  for (std::uint32_t i = 0; i < workers_; ++i) {
    if (f(threads_[i])) return true;
  }
  for (auto left = seated_.load(sync::acquire, sync::site{"K5"}); left != 0; left &= left - 1) {
    if (f(threads_[workers_ + static_cast<std::uint32_t>(std::countr_zero(left))])) return true;
  }
  return false;
}

bool tasks::help(std::uint32_t worker) noexcept {
  if (used_.load(sync::relaxed, sync::site{"K6"}) == 0) return false;
  if (!some(nullptr)) return false;
  enter_worker(worker);
  return own != nullptr && steal(*own, nullptr);
}

void tasks::clear_up(std::uint32_t worker) noexcept {
  task_thread& self = threads_[worker];
  const auto memory = self.memory[1].all();
  if (memory.empty() || self.spawned.young() == memory.data()) return;
  enter_worker(worker);
  run_leftovers(self, memory.data());
}

bool tasks::some(const void* root) const noexcept {
  return any_thread(
      [root](const task_thread& thread) { return thread.forks.has_some(root) || thread.spawned.has_some(root); });
}

bool tasks::steal(task_thread& self, const void* root) noexcept {
  return any_thread([&](task_thread& thread) {
    if (&thread == &self) return false;
    for (task_deque* lot : {&thread.forks, &thread.spawned}) {
      if (lot->has_some(root) && steal_from(self, *lot, root)) {
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
  if (forked) return run_fork(self, *self.got);
  task_slot copy;
  copy.assign(self.wish.copy());
  run_spawned(self, copy);
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
    threw = task.run(&task);
    run_leftovers(self, level);
  }
  if (task.become().end(threw != 0)) wake_all();
}

void tasks::run_spawned(task_thread& self, task_slot& task) noexcept {
  steelyard_group* const group = group_of(task);
  {
    const descending here(self, group, finder());
    task_slot* const level = self.spawned.young();
    task.run(&task);
    run_leftovers(self, level);
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
  copy.run(&copy);
  ended(group_of(copy));
}

bool tasks::pushed(steelyard_tasks& lot) noexcept {
  task_thread& self = *own;
  const bool forked = &lot == steelyard_forks;
  task_deque& deque = forked ? self.forks : self.spawned;
  deque.look_up();
  auto& all = *self.of;
  all.wake(1);
  if (!deque.is_full()) return true;
  deque.pop(all.finder());
  if (forked) return false;
  all.run_youngest(self);
  // Thieves have copies of what they took.
  if (!deque.has_some(nullptr)) deque.free_from(std::max(deque.floor(), self.memory[1].all().data()), all.finder());
  return true;
}

std::uint64_t tasks::forks_left() noexcept { return own->forks.room(); }

int tasks::popped(task_slot& task) noexcept {
  task_thread& self = *own;
  auto& all = *self.of;
  if (self.forks.pop_slowly(&task, all.finder())) return 0;
  auto& word = task.become();
  all.await(
      self, &task, [&word] { return word.has_ended(); }, [&word] { word.say_asleep(); });
  self.forks.free_from(&task, all.finder());
  return word.has_failed() ? 2 : 1;
}

void tasks::push_elsewhere(steelyard_group& group) noexcept { elsewhere(group).push(); }

void tasks::wait(steelyard_group& group) noexcept {
  auto& others = elsewhere(group);
  if (group.owner == nullptr) {
    // Its thread has no tasks; others may have some of the group.
    for (std::uint32_t turn = 0; !others.has_ended(group.here); ++turn) sync::real::relax(turn);
    return others.clear();
  }
  task_thread& self = thread_of(*group.owner);
  auto& all = *self.of;
  const tasks_aside others_of_this_thread(all);  // it may be using another pool just now
  use(&self);
  all.run_leftovers(self, static_cast<task_slot*>(group.start));
  all.await(
      self, &group, [&] { return others.has_ended(group.here); }, [&others] { others.say_asleep(); });
  others.clear();  // nobody else has a task of it; it may be used again
  group.here = 0;
}

/// Until `ended()`: helps with what descends from `root`, and sleeps when there is nothing. say_asleep() lets whoever ends it
/// wake those that sleep.
template <class Ended, class SayAsleep>
void tasks::await(task_thread& self, const void* root, Ended ended, SayAsleep say_asleep) noexcept {
  patience waiting(waking_);
  while (!ended()) {
    if (waiting.is_time_to_steal() && steal(self, root)) {
      waiting = patience(waking_);
    } else if (waiting.lasts()) {
      sync::real::pause();
    } else {
      waiting_.fetch_add(1, sync::relaxed, sync::site{"K7"});
      const auto ticket = parking_.announce();
      say_asleep();
      if (ended() || !may_sleep(root)) {
        parking_.cancel();
      } else {
        parking_.sleep(ticket);
      }
      waiting_.fetch_add(~std::uint32_t{0}, sync::relaxed, sync::site{"K7"});
      waiting = patience(waking_);  // whatever woke it, it looks at once
    }
  }
}

bool tasks::may_sleep(const void* root) noexcept {
  if (used_.load(sync::seq_cst, sync::site{"K8"}) == 0) return true;
  any_thread([](task_thread& thread) {
    thread.forks.ring_push();
    thread.spawned.ring_push();
    return false;
  });
  sync::real::membarrier(sync::site{"K9"});
  return !some(root);
}

void tasks::wake(std::uint32_t count) noexcept {
  // Who waits for one task may not be allowed to do what there is, and may be woken first.
  if (waiting_.load(sync::relaxed, sync::site{"K10"}) != 0) return wake_all();
  if (parking_.some_sleep()) waking_.begin();
  parking_.wake(count);
}

void tasks::wake_all() noexcept { parking_.wake(workers_ + guests); }

void tasks::pass_on() noexcept {
  if (used_.load(sync::relaxed, sync::site{"K6"}) != 0 && some(nullptr)) wake(1);
}

/// A thief has been woken by a push and has its task: those that sleep still have not heard of the next push.
void tasks::wake_next() noexcept {
  if (!may_sleep(nullptr)) wake(1);
}

tasks_aside::tasks_aside(const tasks& used) noexcept : before_(own), depth_(depth) {
  if (own != nullptr && own->of != &used) use(nullptr);
}

tasks_aside::~tasks_aside() {
  use(before_);
  depth = depth_;
}

}  // namespace steelyard::runtime
