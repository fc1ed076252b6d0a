// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "runtime/join.hpp"
#include "runtime/slots.hpp"
#include "sync/real.hpp"

namespace steelyard::runtime {
struct tasks;
}

/// Tasks that are waited for together: counting them and waiting until they have ended. join.md, "What is awaited".
namespace steelyard::runtime::groups {

/// See steelyard_group_push, steelyard_group_end, steelyard_group_wait and steelyard_group_nudge in <steelyard/detail/task_core.h>.
void push_elsewhere(steelyard_group& group) noexcept;
void end_elsewhere(steelyard_group& group) noexcept;
void wait(steelyard_group& group) noexcept;
/// Whoever waits for the group, but not until it ends, looks again.
void nudge(steelyard_group& group) noexcept;

/// Or as soon as enough(context) is not 0: who makes that so nudges. The group is not over then.
void wait(steelyard_group& group, int (*enough)(const void* context), const void* context) noexcept;
/// Returns when all tasks of the group have ended; or all but so many, unless that is 0. The group is not over then.
void wait(steelyard_group& group, const sync::real::atomic<std::uint32_t>& but) noexcept;

/// Pushes a task of the group. It has `run` and up to 32 bytes that lie behind the group's address in the payload.
void spawn(steelyard_group& group, int (*run)(steelyard_task*), const void* what, std::size_t bytes) noexcept;
/// Counts a task of the group that has ended on a thread of that pool. The group may be gone afterwards.
void ended_elsewhere(steelyard_group* group, tasks& here) noexcept;
inline void ended(steelyard_group* group, tasks& here) noexcept {
  if (group->owner != steelyard_spawned) return ended_elsewhere(group, here);
  --group->here;
}

/// By a task of the group: how many cannot end before it does. Itself; and the one that this thread has stolen, if it is left
/// over from that.
[[nodiscard]] std::uint32_t held_here(const steelyard_group& group) noexcept;
/// By its owner: how many have not ended.
[[nodiscard]] std::int64_t pending(const steelyard_group& group) noexcept;

/// Of a task that was spawned.
inline steelyard_group* group_of(const task_slot& task) noexcept {
  std::uintptr_t address = 0;
  std::memcpy(&address, task.payload, sizeof address);
  return reinterpret_cast<steelyard_group*>(address);
}

}  // namespace steelyard::runtime::groups
