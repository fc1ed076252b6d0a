// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>

#include "runtime/tasks.hpp"

#include <steelyard/detail/dataflow_core.h>

namespace steelyard::dataflow {

/// Whether the frame has begun of the task that the calling thread runs.
[[nodiscard]] inline bool has_frame_here() noexcept {
  return steelyard_frame_here != nullptr && steelyard_frame_here->tail != nullptr;
}

/// The frame of the task that the calling thread runs. nullptr: it should call what it would fork. `enter` makes a thread that
/// is in no task one that has tasks, see runtime::tasks::enter.
[[nodiscard]] steelyard_frame* open(bool (*enter)()) noexcept;

/// After a push beyond the limit of the frame here: invites visitors; where memory is used up, first runs what there is.
void look() noexcept;

/// When this returns true the running task has nothing pending. False: what it forks is only noted.
bool settle() noexcept;
/// From now on tasks are called: not where they should only be noted.
void refuse_calls() noexcept;

/// Runs what the running task has forked, or waits where others do; see steelyard_frame_sync.
[[nodiscard]] void* sync() noexcept;

/// What `sync` has returned.
inline void drop(void* thrown) noexcept { delete static_cast<std::exception_ptr*>(thrown); }

}  // namespace steelyard::dataflow
