// SPDX-License-Identifier: Apache-2.0
#include "openmp/kmp/names.hpp"

namespace steelyard::openmp::kmp {
namespace {

// In the order of the slots in names.hpp.
constexpr const char* names[] = {
    "__kmpc_dispatch_init_4",
    "__kmpc_dispatch_init_4u",
    "__kmpc_dispatch_init_8",
    "__kmpc_dispatch_init_8u",
    "__kmpc_dispatch_next_4",
    "__kmpc_dispatch_next_4u",
    "__kmpc_dispatch_next_8",
    "__kmpc_dispatch_next_8u",
    "__kmpc_for_static_init_4",
    "__kmpc_for_static_init_4u",
    "__kmpc_for_static_init_8",
    "__kmpc_for_static_init_8u",
    "__kmpc_fork_call",
    "__kmpc_fork_call_if",
    "__kmpc_serialized_parallel",
    "__kmpc_end_serialized_parallel",
    "__kmpc_dispatch_deinit",
    "__kmpc_doacross_init",
    "__kmpc_doacross_fini",
    "__kmpc_barrier",
    "__kmpc_cancel_barrier",
    "__kmpc_copyprivate",
    "__kmpc_reduce",
    "__kmpc_reduce_nowait",
    "__kmpc_end_reduce",
    "__kmpc_for_static_fini",
    "__kmpc_master",
    "__kmpc_masked",
};
static_assert(sizeof names / sizeof names[0] == slot_count);
static_assert(slot_count <= runtime::most_entries);

}  // namespace

constinit abi api{1, "kmp", "__kmpc_fork_call", names, slot_count};

}  // namespace steelyard::openmp::kmp
