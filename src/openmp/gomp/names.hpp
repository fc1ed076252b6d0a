// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "openmp/program/runtime.hpp"

namespace steelyard::openmp::gomp {

/// libgomp's names of the same loop functions, one set per way of stating the schedule. The plain names are monotonic:
/// GCC 9 and later call them for `monotonic:` clauses only.
enum way : std::size_t {
  dynamic,
  guided,
  runtime_,
  nonmonotonic_dynamic,
  nonmonotonic_guided,
  nonmonotonic_runtime,
  maybe_nonmonotonic_runtime,
  ways,
};

/// Slots of the table of a runtime's functions.
inline constexpr std::size_t loop_start = 0;
inline constexpr std::size_t loop_next = loop_start + ways;
inline constexpr std::size_t ull_start = loop_next + ways;
inline constexpr std::size_t ull_next = ull_start + ways;
inline constexpr std::size_t parallel_loop = ull_next + ways;
inline constexpr std::size_t ordered_start = parallel_loop + ways;  // static, dynamic, guided, runtime, general
inline constexpr std::size_t doacross_start = ordered_start + 5;
inline constexpr std::size_t ull_ordered_start = doacross_start + 5;
inline constexpr std::size_t ull_doacross_start = ull_ordered_start + 5;
inline constexpr std::size_t general_start = ull_doacross_start + 5;
inline constexpr std::size_t ull_general_start = general_start + 1;
inline constexpr std::size_t parallel = general_start + 2;
inline constexpr std::size_t parallel_reductions = parallel + 1;
inline constexpr std::size_t loop_end = parallel + 2;
inline constexpr std::size_t loop_end_nowait = parallel + 3;
inline constexpr std::size_t loop_end_cancel = parallel + 4;
inline constexpr std::size_t barrier = parallel + 5;
inline constexpr std::size_t barrier_cancel = parallel + 6;
inline constexpr std::size_t sections_end = parallel + 7;
inline constexpr std::size_t sections_end_cancel = parallel + 8;
inline constexpr std::size_t task_reduction_end = parallel + 9;
inline constexpr std::size_t single_copy_start = parallel + 10;
inline constexpr std::size_t single_copy_end = parallel + 11;
inline constexpr std::size_t slot_count = parallel + 12;

extern abi api;

}  // namespace steelyard::openmp::gomp
