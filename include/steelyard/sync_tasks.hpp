// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>
#include <memory>
#include <utility>

#include <steelyard/dataflow_core.h>

namespace steelyard {
inline namespace v1 {

/// Returns when all tasks that the running task has forked have ended, and those that they have. Throws the first exception of
/// theirs; tasks that had not begun then are dropped.
inline void sync_tasks() {
  if (void* const thrown = steelyard_frame_sync()) {
    const std::unique_ptr<std::exception_ptr> it(static_cast<std::exception_ptr*>(thrown));
    std::rethrow_exception(std::move(*it));
  }
}

}  // namespace v1
}  // namespace steelyard
