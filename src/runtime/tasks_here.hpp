// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstddef>
#include <cstring>
#include <type_traits>

#include "runtime/another_task.hpp"
#include "runtime/meter_here.hpp"
#include "runtime/tasks.hpp"

/// What the parts of `tasks` share.
namespace steelyard::runtime {

inline steelyard_group* group_of(const task_slot& task) noexcept {
  std::uintptr_t address = 0;
  std::memcpy(&address, task.payload, sizeof address);
  return reinterpret_cast<steelyard_group*>(address);
}

static_assert(std::is_standard_layout_v<task_thread>);
/// Whose deque of spawned tasks that is.
inline task_thread& thread_of(steelyard_tasks& spawned) noexcept {
  return *reinterpret_cast<task_thread*>(reinterpret_cast<std::byte*>(&spawned) - offsetof(task_thread, spawned));
}

inline group_count<sync::real>& counted_by_others(steelyard_group& group) noexcept {
  return reinterpret_cast<group_count<sync::real>&>(group.elsewhere);
}

inline auto tasks::finder() noexcept {
  return [this](std::uint32_t number) -> auto& { return threads_[number].wish; };
}

template <class F>
bool tasks::any_thread(std::uint32_t first, F f) const noexcept {
  for (std::uint32_t i = 0; i < workers_; ++i) {
    if (f(threads_[(first + i) % workers_])) return true;
  }
  for (auto left = seated_.load(sync::acquire, sync::site{"K5"}); left != 0; left &= left - 1) {
    if (f(threads_[workers_ + static_cast<std::uint32_t>(std::countr_zero(left))])) return true;
  }
  return false;
}

}  // namespace steelyard::runtime
