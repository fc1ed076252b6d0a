// SPDX-License-Identifier: Apache-2.0
// The C interface of tasks.
#include "loop/run.hpp"
#include "runtime/tasks.hpp"

#include <steelyard/task_core.h>

using steelyard::runtime::task_slot;
using steelyard::runtime::tasks;

int steelyard_tasks_enter() noexcept { return steelyard::loop::current_pool().threads.enter_tasks() ? 1 : 0; }

void steelyard_tasks_leave() noexcept { tasks::leave(); }

int steelyard_task_pushed(steelyard_tasks* own) noexcept { return tasks::pushed(*own) ? 1 : 0; }

uint64_t steelyard_forks_left(const steelyard_tasks*) noexcept { return tasks::forks_left(); }

int steelyard_task_popped(steelyard_tasks*, steelyard_task* task) noexcept {
  return tasks::popped(*static_cast<task_slot*>(task));
}

void steelyard_group_push(steelyard_group* group) noexcept { tasks::push_elsewhere(*group); }

void steelyard_group_wait(steelyard_group* group) noexcept { tasks::wait(*group); }

void steelyard_pool_task_counts(const steelyard_pool* pool, steelyard_task_counts* counts) noexcept {
  *counts = (pool != nullptr ? *pool : steelyard::loop::current_pool()).threads.its_tasks().counts();
}
