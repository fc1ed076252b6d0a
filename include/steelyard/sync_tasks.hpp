// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>
#include <memory>
#include <utility>

#include <steelyard/dataflow_core.h>

namespace steelyard {
inline namespace v1 {

namespace detail {

/// What a task has thrown; nullptr: nothing.
inline void rethrow(void* thrown) {
  if (thrown == nullptr) return;
  const std::unique_ptr<std::exception_ptr> it(static_cast<std::exception_ptr*>(thrown));
  std::rethrow_exception(std::move(*it));
}

}  // namespace detail

/// Returns when all tasks that the running task has forked have ended, and those that they have. Throws the first exception of
/// theirs; tasks that had not begun then are dropped.
inline void sync_tasks() { detail::rethrow(steelyard_frame_sync()); }

}  // namespace v1
}  // namespace steelyard
