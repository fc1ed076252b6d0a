// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <steelyard/detail/cxx20.hpp>

#include <cstdint>
#include <functional>
#include <new>
#include <stop_token>
#include <vector>

#include <steelyard/cost.hpp>
#include <steelyard/pool.hpp>

/// @file
/// Options of loops.
namespace steelyard {
inline namespace v1 {

/// @addtogroup loops
/// @{

/// How a loop runs; leave out what you do not care about: `parallel_for(0, n, body, {.schedule = "idws"})`.
struct loop_options {
  /// "name[:form][,chunk]"; none: STEELYARD_SCHEDULE, else `wsrw` where there are costs, else `automatic`.
  const char* schedule = nullptr;
  std::uint64_t chunk = 0;  ///< in iterations; not 0: goes before that in `schedule`
  /// `{15, 20, 25, 40}`: the percentage of the iterations that each member gets, in order, under `nustatic`. Where there are other
  /// than so many members it uses learnt ones (Cammarota, Nicolau & Veidenbaum, section 2).
  std::vector<double> shares{};
  /// Of each iteration, where it is known; `[&](std::uint64_t i) { return degree(i); }`. The function must live as long as
  /// these options are used, see cost_ref. Read when the loop is shared under a schedule that asks about costs, where it pays. That is
  /// in a body's first two loops, and when its loops have run 250 times as long as reading took the last time. What it throws then
  /// is thrown by the loop, of which no more has run than what the caller had tried alone. Costs that are all the same are
  /// believed: nothing is balanced then, so that the machine's own irregularities are not either (COWS, Opt2).
  cost_ref cost{};
  const pool* on = nullptr;   ///< none: the pool of the calling thread
  std::uint32_t threads = 0;  ///< at most so many; 0: all of the pool
  /// Shared also where it would be faster on the caller alone, which is otherwise known from earlier runs of the loop.
  bool always_parallel = false;
  std::stop_token stop{};  ///< when it stops, iterations that have not begun do not
  /// Called now and then on the calling thread, with how many of the iterations have been taken: never fewer than before;
  /// at last with all of them. What it throws stops the loop, too.
  std::function<void(std::uint64_t taken, std::uint64_t all)> progress{};
};

/// @}

namespace detail {

/// Those of a loop that says none. Not made for each loop: clearing so many bytes takes longer than the smallest loops.
inline const loop_options& usual_options() {
  // Never destroyed, for loops may run in destructors.
  alignas(loop_options) static unsigned char room[sizeof(loop_options)];
  static const loop_options& usual = *::new (static_cast<void*>(room)) loop_options{};
  return usual;
}

}  // namespace detail

}  // namespace v1
}  // namespace steelyard
