// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "runtime/lineage.hpp"
#include "support/assert.hpp"
#include "support/cache_line.hpp"
#include "sync/access.hpp"

namespace steelyard::runtime {

/// A worker as a thief: what it asks for, and the answer.
template <class Sync, class Slot>
class asker {
 public:
  /// Asks only for tasks that descend from `root`; nullptr: for any. Before `ask`.
  void want(const void* root) noexcept { root_.store(root, sync::relaxed, sync::site{"D35"}); }

  /// The answer, once: a task, or that there is none, or nothing yet.
  enum class answer : std::uint32_t { none, given, refused };
  struct heard {
    answer what = answer::none;
    Slot* task = nullptr;
  };
  [[nodiscard]] heard hear() noexcept {
    const auto found = static_cast<answer>(answer_.load(sync::acquire, sync::site{"D30"}));
    if (found == answer::none) return {};
    answer_.store(0, sync::relaxed, sync::site{"D31"});
    Slot* const task = task_.load(sync::relaxed, sync::site{"D32"});
    STEELYARD_ASSERT((task != nullptr) == (found == answer::given), "[I1] a thief has a task when it was given one");
    return {found, task};
  }
  /// Of the task that was given, as it was then: whoever pushed it may use its slot again if it does not wait for it there.
  [[nodiscard]] Slot& copy() noexcept { return copy_; }
  /// What its owner was running, which had pushed it, descends from; nothing is known of a task that is older.
  [[nodiscard]] const lineage& above() const noexcept { return above_; }

 private:
  template <class, class>
  friend class deque;

  void say(answer what, Slot* task) noexcept {
    if (task != nullptr) copy_.assign(*task);
    task_.store(task, sync::relaxed, sync::site{"D33"});
    answer_.store(static_cast<std::uint32_t>(what), sync::release, sync::site{"D34"});
  }

  alignas(support::line_size) typename Sync::template atomic<std::uint32_t> answer_{};
  typename Sync::template atomic<Slot*> task_{};
  typename Sync::template atomic<std::uint32_t> behind_{};  ///< who asked the same victim just before
  typename Sync::template atomic<const void*> root_{};
  // Written by who answers, before the answer.
  Slot copy_{};
  lineage above_{};
};

}  // namespace steelyard::runtime
