// SPDX-License-Identifier: Apache-2.0
#include "runtime/measuring.hpp"

#include <exception>
#include <new>

#include "runtime/another_task.hpp"
#include "runtime/groups.hpp"
#include "runtime/tasks.hpp"

namespace steelyard::runtime {
namespace {

std::size_t in(const slots& memory, const task_slot* task) noexcept {
  return static_cast<std::size_t>(task - memory.all().data());
}

/// Whether a destructor or a handler is running: a join ends whose first half has thrown.
bool is_exception_underway() noexcept { return std::uncaught_exceptions() != 0 || std::current_exception() != nullptr; }

}  // namespace

bool measuring::start() noexcept {
  if (all_.workers() != 0) return false;  // they have begun, and read that
  return on_ = true;
}

steelyard_work_span measuring::so_far() const noexcept {
  const auto* const its = all_[all_.workers()].measured;
  return its != nullptr ? steelyard_work_span{its->work(), its->span()} : steelyard_work_span{0, 0};
}

bool measuring::has_result() const noexcept {
  const auto* const its = all_[all_.workers()].measured;
  const bool alone = all_.counts(0, all_.threads()).stolen == 0 && crowded_.load(sync::relaxed, sync::site{"K15"}) == 0;
  return on_ && alone && (its == nullptr || !its->has_failed());
}

void measuring::begin(task_thread& self) noexcept {
  if (self.number != all_.workers()) return crowded_.store(1, sync::relaxed, sync::site{"K15"});
  if (self.measured == nullptr) self.measured = new (std::nothrow) runtime::meter;
  if (self.measured == nullptr) return crowded_.store(1, sync::relaxed, sync::site{"K15"});
  self.measured->start();
}

void measuring::push(task_thread& self, bool forked) noexcept {
  const meter::standing clock(*self.measured);
  task_deque& deque = forked ? self.forks : self.spawned;
  self.measured->pushed(forked ? meter::deque_kind::forks : meter::deque_kind::spawned,
                        in(self.memory[forked ? 0 : 1], deque.young()));
  deque.ring_push();
  if (forked) deque.ring();
}

void measuring::forget_fork(task_thread& self) noexcept {
  static_cast<void>(self.measured->popped(meter::deque_kind::forks, in(self.memory[0], self.forks.young())));
  self.forks.ring();
}

int measuring::run_fork(task_thread& self, task_slot& task) noexcept {
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

void measuring::run_youngest(task_thread& self) noexcept {
  auto& its = *self.measured;
  const meter::standing clock(its);
  task_slot copy;
  copy.assign(*self.spawned.young());
  steelyard_group* const group = groups::group_of(copy);
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
  groups::ended(group, *self.of);
}

void measuring::wait(task_thread& self, const steelyard_group& group) noexcept {
  const meter::standing clock(*self.measured);
  self.measured->wait_for_all(&group);
}

}  // namespace steelyard::runtime
