// SPDX-License-Identifier: Apache-2.0
#include "runtime/tasks_here.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <type_traits>
#include <utility>

#include "sync/hand_over.hpp"

STEELYARD_THREAD steelyard_tasks* steelyard_forks = nullptr;
STEELYARD_THREAD steelyard_tasks* steelyard_spawned = nullptr;
STEELYARD_THREAD steelyard_frame* steelyard_frame_here = nullptr;

namespace steelyard::runtime {

[[gnu::tls_model("initial-exec")]] constinit thread_local task_thread* own = nullptr;

namespace {

static_assert(std::is_standard_layout_v<task_deque>, "its first words are those of steelyard_tasks");

/// Stacks are smaller than so many joins need.
constexpr std::size_t most_forks = std::size_t{1} << 17;
constexpr std::size_t most_spawned = std::size_t{1} << 22;

[[gnu::tls_model("initial-exec")]] constinit thread_local std::uint32_t depth = 0;  ///< a guest's calls of enter
/// And of leave, while it was in a join: that may have begun with the seat of a frame that has ended since.
[[gnu::tls_model("initial-exec")]] constinit thread_local std::uint32_t left = 0;

void use(task_thread* thread) noexcept {
  own = thread;
  steelyard_forks = thread != nullptr ? reinterpret_cast<steelyard_tasks*>(&thread->forks) : nullptr;
  steelyard_spawned = thread != nullptr ? reinterpret_cast<steelyard_tasks*>(&thread->spawned) : nullptr;
}

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

}  // namespace

steelyard_frame tasks::calls_only{};
steelyard_frame tasks::unopened{};

void tasks::show_deques() noexcept {
  if (own != nullptr) steelyard_forks = reinterpret_cast<steelyard_tasks*>(&own->forks);
}

tasks::tasks(std::uint32_t workers, const open_work& others, parking<sync::real>& sleepers, wake_ups& waking,
             tasks* of_parent)
    : workers_(workers), at_random_(are_victims_random()), of_parent_(of_parent), open_work_(others),
      parking_(sleepers), waking_(waking), threads_(new task_thread[workers + guests]) {
  if (of_parent != nullptr && of_parent->measures()) measure();
  for (std::uint32_t i = 0; i < workers + guests; ++i) {
    threads_[i].of = this;
    threads_[i].number = i;
    threads_[i].dice = 0x9e3779b9U * (i + 1);
  }
}

steelyard_task_counts tasks::counts() const noexcept { return counts_in(0, workers_ + guests); }

steelyard_task_counts tasks::counts_of(std::uint32_t which) const noexcept {
  if (which > workers_) return {};
  return which == 0 ? counts_in(workers_, workers_ + guests) : counts_in(which - 1, which);
}

steelyard_task_counts tasks::counts_in(std::uint32_t first, std::uint32_t last) const noexcept {
  steelyard_task_counts all{};
  for (std::uint32_t i = first; i < last; ++i) {
    all.stolen += threads_[i].stolen.load(sync::relaxed, sync::site{"K11"});
    all.refused += threads_[i].refused.load(sync::relaxed, sync::site{"K11"});
    all.analysed += threads_[i].analysed.load(sync::relaxed, sync::site{"K11"});
  }
  return all;
}

/// Where the calling thread is, and others will look for it.
topology::place tasks::be_here(task_thread& self) noexcept {
  const auto here = topology::place_here();
  self.place.store(here, sync::relaxed, sync::site{"K13"});
  return here;
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
  sync::receive(&thread);
  use(&thread);
  be_here(thread);
  // A worker that does not see this has not announced its sleep yet when the first push looks.
  used_.store(1, sync::seq_cst, sync::site{"K1"});
  if (measures_) begin_measuring(thread);
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
  ++left;
  leave_at_last();
}

void tasks::leave_at_last() noexcept {
  if (left == 0 || own->forks.young() != own->memory[0].all().data()) return;
  depth -= std::exchange(left, 0);
  if (depth != 0) return;
  task_thread& thread = *own;
  thread.of->run_leftovers(thread, thread.memory[1].all().data());
  use(nullptr);
  thread.of->stand_up(thread);
}

void tasks::stand_up(task_thread& thread) noexcept {
  if (thread.measured != nullptr) thread.measured->stop();
  sync::hand_over(&thread);
  seated_.fetch_add(0 - (std::uint64_t{1} << (thread.number - workers_)), sync::release, sync::site{"K4"});
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
      0, [root](const task_thread& thread) { return thread.forks.has_some(root) || thread.spawned.has_some(root); });
}

bool tasks::pushed(steelyard_tasks& words) noexcept {
  task_thread& self = *own;
  const bool forked = &words != steelyard_spawned;
  task_deque& deque = forked ? self.forks : self.spawned;
  deque.look_up();
  auto& all = *self.of;
  if (self.measured != nullptr) measure_push(self, forked);
  all.wake(1);
  if (!deque.is_full()) return true;
  deque.pop(all.finder());
  if (forked) {
    if (self.measured != nullptr) forget_measured_fork(self);
    return false;
  }
  self.measured != nullptr ? all.run_measured_youngest(self) : all.run_youngest(self);
  // Thieves have copies of what they took.
  if (!deque.has_some(nullptr)) deque.free_from(std::max(deque.floor(), self.memory[1].all().data()), all.finder());
  return true;
}

std::uint64_t tasks::forks_left() noexcept { return own->forks.room(); }

int tasks::popped(task_slot& task) noexcept {
  task_thread& self = *own;
  auto& all = *self.of;
  if (self.forks.pop_slowly(&task, all.finder())) {
    return self.measured != nullptr ? run_measured_fork(self, task) : 0;
  }
  auto& word = task.become();
  all.await(
      self, &task, [&word] { return word.has_ended(); }, [&word] { word.say_asleep(); });
  sync::receive(&task);
  self.forks.free_from(&task, all.finder());
  return word.has_failed() ? 2 : 1;
}

void tasks::push_elsewhere(steelyard_group& group) noexcept { counted_by_others(group).push(); }

void tasks::end_elsewhere(steelyard_group& group) noexcept {
  auto* const owner = group.owner;
  sync::hand_over(&group);
  if (counted_by_others(group).end()) thread_of(*owner).of->wake_all();
}

void tasks::wait(steelyard_group& group) noexcept {
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

void tasks::wait(steelyard_group& group, const sync::real::atomic<std::uint32_t>& but) noexcept {
  auto& others = counted_by_others(group);
  wait_until(group, [&] {
    return others.has_ended(group.here) || others.has_ended(group.here - but.load(sync::relaxed, sync::site{"K12"}));
  });
}

void tasks::wait(steelyard_group& group, int (*enough)(const void* context), const void* context) noexcept {
  // In this order: who has read the count of a nudge sees what was made so before.
  const auto ended = [&] { return counted_by_others(group).has_ended(group.here) || enough(context) != 0; };
  if (group.owner != nullptr) return wait_until(group, ended);
  for (std::uint32_t turn = 0; !ended(); ++turn) sync::real::relax(turn);
  sync::receive(&group);
}

std::uint32_t tasks::held_here(const steelyard_group& group) noexcept { return own->left_over == &group ? 2 : 1; }

template <class Ended>
void tasks::wait_until(steelyard_group& group, Ended ended) noexcept {
  task_thread& self = thread_of(*group.owner);
  auto& all = *self.of;
  const tasks_aside others_of_this_thread(all);  // it may be using another pool just now
  if (own != &self) use(&self);
  all.run_leftovers(self, static_cast<task_slot*>(group.start));
  all.await(self, &group, ended, [&group] { counted_by_others(group).say_asleep(); });
  sync::receive(&group);
  if (self.measured != nullptr) measure_wait(self, group);
}

void tasks::nudge(steelyard_group& group) noexcept {
  counted_by_others(group).push();
  end_elsewhere(group);
}

std::int64_t tasks::pending(const steelyard_group& group) noexcept {
  return group.here - counted_by_others(const_cast<steelyard_group&>(group)).ended();
}

bool tasks::is_work_about(const steelyard_group* but) noexcept {
  if (own->of->open_work_.has_seats()) return true;
  const task_thread* const not_there = but != nullptr ? &thread_of(*but->owner) : nullptr;
  return own->of->any_thread(0, [not_there](const task_thread& thread) {
    return thread.forks.has_some() || (&thread != not_there && thread.spawned.has_some());
  });
}

/// Until `ended()`: helps with what descends from `root`, and sleeps when there is nothing. say_asleep() lets whoever ends it
/// wake those that sleep.
template <class Ended, class SayAsleep>
void tasks::await(task_thread& self, const void* root, Ended ended, SayAsleep say_asleep) noexcept {
  idle_wait waiting(waking_);
  while (!ended()) {
    if (waiting.is_time_to_steal() && steal(self, root)) {
      waiting = idle_wait(waking_);
    } else if (waiting.lasts()) {
      sync::real::pause();
    } else {
      waiting_.fetch_add(1, sync::relaxed, sync::site{"K7"});
      const auto ticket = parking_.announce();
      say_asleep();
      if (ended() || (!may_sleep(root) && may_help())) {
        parking_.cancel();
      } else {
        parking_.sleep(ticket);
      }
      waiting_.fetch_add(~std::uint32_t{0}, sync::relaxed, sync::site{"K7"});
      waiting = idle_wait(waking_);  // whatever woke it, it looks at once
    }
  }
}

bool tasks::may_sleep(const void* root) noexcept {
  if (used_.load(sync::seq_cst, sync::site{"K8"}) == 0) return true;
  any_thread(0, [](task_thread& thread) {
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

tasks_aside::tasks_aside(const tasks& used, bool other) noexcept
    : aside_(own != nullptr ? own->of != &used : other), before_(own), depth_(depth), left_(left),
      hidden_(steelyard_forks == nullptr), frame_(steelyard_frame_here) {
  if (!aside_) return;
  left = 0;
  use(nullptr);
  if (steelyard_frame_here != &tasks::calls_only) steelyard_frame_here = nullptr;
}

tasks_aside::~tasks_aside() {
  if (!aside_) return;
  use(before_);
  depth = depth_;
  left = left_;
  if (hidden_) steelyard_forks = nullptr;
  steelyard_frame_here = frame_;
}

}  // namespace steelyard::runtime
