// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>

#include "runtime/pending.hpp"

#include <steelyard/detail/dataflow_core.h>

namespace steelyard::dataflow {

using runtime::has_frame_here;

/// Those who know nothing of dataflow know from now on how to wait for it. Before the calling thread gets a frame.
void be_known() noexcept;

/// The frame of the task that the calling thread runs. nullptr: it should call what it would fork. `enter` makes a thread that
/// is in no task one that has tasks, see runtime::seats::enter.
[[nodiscard]] steelyard_frame* open(bool (*enter)()) noexcept;

/// After a push beyond the limit of the frame here: invites visitors; where memory is used up, first runs what there is.
void look() noexcept;

/// From now on tasks are called: not where they should only be noted.
void refuse_calls() noexcept;

/// Runs what the running task has forked, or waits where others do; see steelyard_frame_sync.
[[nodiscard]] void* sync() noexcept;

/// What `sync` has returned.
inline void drop(void* thrown) noexcept { delete static_cast<std::exception_ptr*>(thrown); }

}  // namespace steelyard::dataflow
