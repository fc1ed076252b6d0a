// SPDX-License-Identifier: Apache-2.0
#include "openmp/gomp/names.hpp"

namespace steelyard::openmp::gomp {
namespace {

// In the order of the slots in names.hpp.
constexpr const char* names[] = {
    "GOMP_loop_dynamic_start",
    "GOMP_loop_guided_start",
    "GOMP_loop_runtime_start",
    "GOMP_loop_nonmonotonic_dynamic_start",
    "GOMP_loop_nonmonotonic_guided_start",
    "GOMP_loop_nonmonotonic_runtime_start",
    "GOMP_loop_maybe_nonmonotonic_runtime_start",
    "GOMP_loop_dynamic_next",
    "GOMP_loop_guided_next",
    "GOMP_loop_runtime_next",
    "GOMP_loop_nonmonotonic_dynamic_next",
    "GOMP_loop_nonmonotonic_guided_next",
    "GOMP_loop_nonmonotonic_runtime_next",
    "GOMP_loop_maybe_nonmonotonic_runtime_next",
    "GOMP_loop_ull_dynamic_start",
    "GOMP_loop_ull_guided_start",
    "GOMP_loop_ull_runtime_start",
    "GOMP_loop_ull_nonmonotonic_dynamic_start",
    "GOMP_loop_ull_nonmonotonic_guided_start",
    "GOMP_loop_ull_nonmonotonic_runtime_start",
    "GOMP_loop_ull_maybe_nonmonotonic_runtime_start",
    "GOMP_loop_ull_dynamic_next",
    "GOMP_loop_ull_guided_next",
    "GOMP_loop_ull_runtime_next",
    "GOMP_loop_ull_nonmonotonic_dynamic_next",
    "GOMP_loop_ull_nonmonotonic_guided_next",
    "GOMP_loop_ull_nonmonotonic_runtime_next",
    "GOMP_loop_ull_maybe_nonmonotonic_runtime_next",
    "GOMP_parallel_loop_dynamic",
    "GOMP_parallel_loop_guided",
    "GOMP_parallel_loop_runtime",
    "GOMP_parallel_loop_nonmonotonic_dynamic",
    "GOMP_parallel_loop_nonmonotonic_guided",
    "GOMP_parallel_loop_nonmonotonic_runtime",
    "GOMP_parallel_loop_maybe_nonmonotonic_runtime",
    "GOMP_loop_ordered_static_start",
    "GOMP_loop_ordered_dynamic_start",
    "GOMP_loop_ordered_guided_start",
    "GOMP_loop_ordered_runtime_start",
    "GOMP_loop_ordered_start",
    "GOMP_loop_doacross_static_start",
    "GOMP_loop_doacross_dynamic_start",
    "GOMP_loop_doacross_guided_start",
    "GOMP_loop_doacross_runtime_start",
    "GOMP_loop_doacross_start",
    "GOMP_loop_ull_ordered_static_start",
    "GOMP_loop_ull_ordered_dynamic_start",
    "GOMP_loop_ull_ordered_guided_start",
    "GOMP_loop_ull_ordered_runtime_start",
    "GOMP_loop_ull_ordered_start",
    "GOMP_loop_ull_doacross_static_start",
    "GOMP_loop_ull_doacross_dynamic_start",
    "GOMP_loop_ull_doacross_guided_start",
    "GOMP_loop_ull_doacross_runtime_start",
    "GOMP_loop_ull_doacross_start",
    "GOMP_loop_start",
    "GOMP_loop_ull_start",
    "GOMP_parallel",
    "GOMP_parallel_reductions",
    "GOMP_loop_end",
    "GOMP_loop_end_nowait",
    "GOMP_loop_end_cancel",
    "GOMP_barrier",
    "GOMP_barrier_cancel",
    "GOMP_sections_end",
    "GOMP_sections_end_cancel",
    "GOMP_workshare_task_reduction_unregister",
    "GOMP_single_copy_start",
    "GOMP_single_copy_end",
};
static_assert(sizeof names / sizeof names[0] == slot_count);
static_assert(slot_count <= runtime::most_entries);

}  // namespace

constinit abi api{0, "gomp", "GOMP_parallel", names, slot_count};

}  // namespace steelyard::openmp::gomp
