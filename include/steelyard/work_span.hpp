// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <steelyard/detail/cxx20.hpp>

#include <chrono>
#include <concepts>
#include <exception>
#include <stdexcept>
#include <utility>

#include <steelyard/detail/task_core.h>
#include <steelyard/sync_tasks.hpp>

/// @file
/// How parallel a program is.
namespace steelyard {
inline namespace v1 {

/// @addtogroup tasks
/// @{

/// Of a run: T1, the time of all that its tasks do, and T-infinity, that of the longest path through them, which no number of
/// threads can make shorter. (Work stealing takes T1/p + O(T-infinity) on p threads: Blumofe & Leiserson 1999.)
struct work_span {
  std::chrono::nanoseconds work;  ///< T1
  std::chrono::nanoseconds span;  ///< T-infinity

  /// How many times as fast it can be at most.
  /// @return work divided by span.
  [[nodiscard]] double parallelism() const noexcept {
    return span.count() == 0 ? 1 : static_cast<double>(work.count()) / static_cast<double>(span.count());
  }
};

/// Calls f() on this thread alone and measures: joins, groups, futures, and tasks of dataflow with what they access; a loop counts
/// as one task. Times are those on a processor, and strands, which is what lies between two calls of the library, should take a
/// tenth of a microsecond or more: much shorter ones are known roughly. O(1) for a fork; for a task of dataflow what its dependencies
/// take. What f throws is thrown; std::runtime_error when it could not be measured. As Cilkview does (He, Leiserson &
/// Leiserson 2010): src/runtime/meter.md.
/// @param f called without arguments.
/// @return what was measured.
template <class F>
[[nodiscard]] work_span measure_work_span(F&& f) {
  static_assert(std::invocable<F>, "measure_work_span: the function cannot be called without arguments");
  struct call {
    F& f;
    std::exception_ptr thrown;
  } context{f, nullptr};
  steelyard_work_span found{};
  const int known = steelyard_measure_work_span(
      [](void* at) {
        auto& it = *static_cast<call*>(at);
        try {
          if constexpr (std::invocable<F>) std::forward<F>(it.f)();
          sync_tasks();
        } catch (...) {
          it.thrown = std::current_exception();
        }
      },
      &context, &found);
  if (context.thrown) std::rethrow_exception(context.thrown);
  if (known == 0) throw std::runtime_error("steelyard::measure_work_span: several threads, or too little memory");
  return {std::chrono::nanoseconds(found.work), std::chrono::nanoseconds(found.span)};
}

/// @}

}  // namespace v1
}  // namespace steelyard
