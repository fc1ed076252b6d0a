// SPDX-License-Identifier: Apache-2.0
// Tasks of a thread that measures work and span (meter.md): every push and every pop comes here.
#include <algorithm>
#include <exception>
#include <new>
#include <utility>

#include "runtime/tasks_here.hpp"

namespace steelyard::runtime {
namespace {

std::size_t in(const slots& memory, const task_slot* task) noexcept {
  return static_cast<std::size_t>(task - memory.all().data());
}

/// Whether a destructor or a handler is running: a join ends whose first half has thrown.
bool is_exception_underway() noexcept { return std::uncaught_exceptions() != 0 || std::current_exception() != nullptr; }

}  // namespace

bool tasks::measure() noexcept {
  if (workers_ != 0) return false;  // they have begun, and read that
  return measures_ = true;
}

steelyard_work_span tasks::measured_so_far() const noexcept {
  const auto* const its = threads_[workers_].measured;
  return its != nullptr ? steelyard_work_span{its->work(), its->span()} : steelyard_work_span{0, 0};
}

bool tasks::is_measured() const noexcept {
  const auto* const its = threads_[workers_].measured;
  const bool alone = counts().stolen == 0 && crowded_.load(sync::relaxed, sync::site{"K15"}) == 0;
  return measures_ && alone && (its == nullptr || !its->has_failed());
}

/// The thread has sat down.
void tasks::begin_measuring(task_thread& self) noexcept {
  if (self.number != workers_) return crowded_.store(1, sync::relaxed, sync::site{"K15"});
  if (self.measured == nullptr) self.measured = new (std::nothrow) runtime::meter;
  if (self.measured == nullptr) return crowded_.store(1, sync::relaxed, sync::site{"K15"});
  self.measured->start();
}

/// After a push. The next one comes here, too, and so does the pop of a fork.
void tasks::measure_push(task_thread& self, bool forked) noexcept {
  const meter::standing clock(*self.measured);
  task_deque& deque = forked ? self.forks : self.spawned;
  self.measured->pushed(forked ? meter::deque_kind::forks : meter::deque_kind::spawned,
                        in(self.memory[forked ? 0 : 1], deque.young()));
  deque.ring_push();
  if (forked) deque.ring();
}

/// The youngest has been taken back, and is a call.
void tasks::forget_measured_fork(task_thread& self) noexcept {
  static_cast<void>(self.measured->popped(meter::deque_kind::forks, in(self.memory[0], self.forks.young())));
  self.forks.ring();
}

/// A fork that nobody has taken runs as if a thief had it: beside the first half, whose end is here.
int tasks::run_measured_fork(task_thread& self, task_slot& task) noexcept {
  auto& its = *self.measured;
  const meter::standing clock(its);
  const auto forked_at = its.popped(meter::deque_kind::forks, in(self.memory[0], &task));
  int how = 0;
  if (!is_exception_underway()) {
    const auto first_half = its.here();
    its.go_to(forked_at);
    {
      const another_task here;
      its.begin_strand();
      how = task.run(&task) != 0 ? 2 : 1;
      its.end_strand();
    }
    its.wait_for(first_half);
  }
  self.forks.ring();
  return how;
}

void tasks::run_measured_leftovers(task_thread& self, task_slot* down_to) noexcept {
  auto& deque = self.spawned;
  task_slot* highest = down_to;
  while (deque.young() > down_to) {
    highest = std::max(highest, deque.young());
    if (!deque.pop(finder())) {
      deque.free_from(down_to, finder());
      break;
    }
    run_measured_youngest(self);
  }
  self.memory[1].give_back(down_to, highest);
}

/// The spawned task that has just been popped.
void tasks::run_measured_youngest(task_thread& self) noexcept {
  auto& its = *self.measured;
  const meter::standing clock(its);
  task_slot copy;
  copy.assign(*self.spawned.young());
  steelyard_group* const group = group_of(copy);
  const auto before = its.here();
  its.go_to(its.popped(meter::deque_kind::spawned, in(self.memory[1], self.spawned.young())));
  {
    const another_task here;
    its.begin_strand();
    copy.run(&copy);
    its.end_strand();
  }
  its.ended_in(group);
  its.go_to(before);
  ended(group);
}

void tasks::measure_wait(task_thread& self, const steelyard_group& group) noexcept {
  const meter::standing clock(*self.measured);
  self.measured->wait_for_all(&group);
}

}  // namespace steelyard::runtime
