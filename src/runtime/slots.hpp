// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "runtime/join.hpp"
#include "sync/real.hpp"

#include <steelyard/detail/task_core.h>

namespace steelyard::runtime {

/// A task in its slot, as thieves see it.
struct task_slot : steelyard_task {
  void mark_stolen(std::uint32_t by) noexcept {
    thief = by;
    become().begin();
  }
  void assign(const task_slot& from) noexcept {
    run = from.run;
    std::memcpy(payload, from.payload, sizeof payload);
  }
  /// `state`.
  outcome<sync::real>& become() noexcept { return reinterpret_cast<outcome<sync::real>&>(state); }
};
static_assert(sizeof(outcome<sync::real>) == sizeof(steelyard_task::state));
static_assert(sizeof(group_count<sync::real>) == sizeof(steelyard_group::elsewhere));
static_assert(sizeof(task_slot) == sizeof(steelyard_task));

/// The memory of a deque: address space that costs nothing until it is touched.
class slots {
 public:
  slots() = default;
  ~slots();
  slots(const slots&) = delete;
  slots& operator=(const slots&) = delete;

  /// For up to `most` tasks, or fewer where the system gives less. False: it gives none.
  bool reserve(std::size_t most) noexcept;
  [[nodiscard]] std::span<task_slot> all() const noexcept { return all_; }
  /// Nobody needs what is in [first, last): of more than `kept` slots the memory goes back to the system.
  void give_back(task_slot* first, task_slot* last) noexcept {
    if (__builtin_expect(last - first > kept, 0)) give_back_beyond(first + kept, last);
  }

 private:
  static constexpr std::ptrdiff_t kept = (std::ptrdiff_t{1} << 22) / sizeof(task_slot);
  static void give_back_beyond(task_slot* first, task_slot* last) noexcept;

  std::span<task_slot> all_;
};

}  // namespace steelyard::runtime
