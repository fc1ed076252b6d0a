// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sync/real.hpp"

#include <steelyard/detail/dataflow_core.h>

/// What the running task has forked and not waited for, for those who know nothing of dataflow: that says how, before it forks.
namespace steelyard::runtime {

/// What steelyard_frame_here is where the calling thread calls what it would fork, and in a task that has forked nothing yet.
extern steelyard_frame calls_only;
extern steelyard_frame unopened;

struct pending_tasks {
  bool (*settle)() noexcept;  ///< see settle_pending
  void* (*sync)() noexcept;   ///< see steelyard_frame_sync
};

/// The same for all that a process forks.
void know_pending(const pending_tasks& how) noexcept;

/// Whether the frame has begun of the task that the calling thread runs.
[[nodiscard]] inline bool has_frame_here() noexcept {
  return steelyard_frame_here != nullptr && steelyard_frame_here->tail != nullptr;
}

/// When this returns true the running task has nothing pending. False: what it forks is only noted.
bool settle_pending() noexcept;

/// Waits for what the running task has forked; what that has thrown is dropped.
void drop_pending() noexcept;

}  // namespace steelyard::runtime
