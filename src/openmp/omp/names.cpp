// SPDX-License-Identifier: Apache-2.0
#include "openmp/omp/names.hpp"

namespace steelyard::openmp::omp {
namespace {

// In the order of the slots in names.hpp.
constexpr const char* names[] = {
    "omp_get_thread_num",
    "omp_get_num_threads",
    "omp_get_team_size",
    "omp_get_ancestor_thread_num",
};
static_assert(sizeof names / sizeof names[0] == slot_count);

}  // namespace

constinit abi api{2, "omp", "omp_get_thread_num", names, slot_count};

}  // namespace steelyard::openmp::omp
