// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/task_thread.hpp"

namespace steelyard::runtime {

/// How tasks come to threads that have not pushed them: whom an idle thread asks, and what it does with what it gets. join.md, "The
/// discipline".
class theft {
 public:
  theft();

  /// Takes a task that descends from `root`, or any, where that is nullptr, and runs it and what it leaves. False: there is none.
  [[nodiscard]] bool steal(task_thread& self, const void* root) const noexcept;

  /// Whether the calling thread has the stack that it takes to help while it waits.
  [[nodiscard]] static bool may_help() noexcept;

 private:
  bool at_random_;  ///< whom thieves ask; otherwise the nearest first
};

}  // namespace steelyard::runtime
