// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <steelyard/detail/cxx20.hpp>

#include <concepts>
#include <new>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include <steelyard/detail/dataflow_core.h>
#include <steelyard/sync_tasks.hpp>

/// @file
/// Tasks of dataflow that are forked once and run many times.
namespace steelyard {
inline namespace v1 {

/// @addtogroup dataflow
/// @{

/// Tasks that are forked once and run many times, as iterative programs do. What they wait for is found out once, if somebody
/// ever comes to help.
class recording {
 public:
  /// Calls f(), and notes the tasks that are forked; none runs. Joins, groups and loops in it call one function after the other,
  /// sync_tasks() does nothing. Throws std::invalid_argument when a task has arguments that cannot be copied, or writes an object
  /// that is renamed (whose value is lost). So it does when a shared object goes, a `sequential` begins, or another recording is
  /// run. Also throws std::bad_alloc, and what f throws.
  /// @param f called without arguments.
  template <class F>
  requires(!std::same_as<std::remove_cvref_t<F>, recording>) explicit recording(F&& f)
      : its_(steelyard_recording_begin()) {
    static_assert(std::invocable<F>, "recording: the function cannot be called without arguments");
    if (its_ == nullptr) throw std::bad_alloc();
    try {
      if constexpr (std::invocable<F>) std::forward<F>(f)();
    } catch (...) {
      steelyard_recording_end(its_);
      steelyard_recording_destroy(its_);
      throw;
    }
    if (steelyard_recording_end(its_) == 0) {
      const bool is_full = steelyard_recording_is_full(its_) != 0;
      steelyard_recording_destroy(its_);
      if (is_full) throw std::bad_alloc();
      throw std::invalid_argument(
          "steelyard::recording: a task's arguments cannot be copied, a shared object goes or is "
          "renamed, or another recording is run");
    }
  }
  /// The arguments go. It may not be running.
  ~recording() { steelyard_recording_destroy(its_); }
  recording(const recording&) = delete;
  recording& operator=(const recording&) = delete;

  /// As if they were forked now, each with a copy of its arguments, and sync_tasks() were called, which throws what that throws. One
  /// run at a time.
  void run() { detail::rethrow(steelyard_recording_run(its_)); }

 private:
  steelyard_recording* its_;
};

/// @}

}  // namespace v1
}  // namespace steelyard
