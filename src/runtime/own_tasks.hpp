// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "runtime/slots.hpp"

namespace steelyard::runtime {
struct task_thread;
}

/// What a thread does with the tasks that it has pushed itself, where the few moves in <steelyard/detail/task_core.h> do not suffice.
/// On a thread that has tasks.
namespace steelyard::runtime::own_tasks {

/// After a push that has to look: see steelyard_task_pushed.
bool pushed(steelyard_tasks& words) noexcept;
[[nodiscard]] std::uint64_t forks_left() noexcept;
/// After a pop that has to look: see steelyard_task_popped.
int popped(task_slot& task) noexcept;

/// Runs what this thread has spawned since its deque was `down_to`, and no thief has, youngest first.
void run_spawned_since(void* down_to) noexcept;
void run_down_to(task_thread& self, task_slot* down_to) noexcept;

}  // namespace steelyard::runtime::own_tasks
