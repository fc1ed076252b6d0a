// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <steelyard/detail/cxx20.hpp>

#include <exception>
#include <memory>
#include <utility>

#include <steelyard/detail/dataflow_core.h>
#include <steelyard/detail/needs_exceptions.hpp>

/// What the running task has forked, and what that has thrown.
namespace steelyard {
inline namespace v1 {
namespace detail {

/// What a task has thrown; nullptr: nothing.
inline void rethrow(void* thrown) {
  if (thrown == nullptr) return;
  const std::unique_ptr<std::exception_ptr> it(static_cast<std::exception_ptr*>(thrown));
  std::rethrow_exception(std::move(*it));
}

/// Whether the running task has forked tasks since it last called sync_tasks.
inline bool has_forked() noexcept { return steelyard_frame_here != nullptr && steelyard_frame_here->tail != nullptr; }

/// Waits for what the running task has forked. What that threw first.
[[gnu::noinline, gnu::cold]] inline std::exception_ptr thrown_by_forked() noexcept {
  const std::unique_ptr<std::exception_ptr> it(static_cast<std::exception_ptr*>(steelyard_frame_sync()));
  return it != nullptr ? std::move(*it) : nullptr;
}

/// In a function that is a task of its own: when that ends, so has what it has forked.
class own_task {
 public:
  own_task() = default;
  ~own_task() {
    if (has_forked()) delete static_cast<std::exception_ptr*>(steelyard_frame_sync());
  }
  own_task(const own_task&) = delete;
  own_task& operator=(const own_task&) = delete;

  /// Throws what was thrown there.
  static void end() {
    if (has_forked()) rethrow(steelyard_frame_sync());
  }
};

}  // namespace detail
}  // namespace v1
}  // namespace steelyard
