// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "openmp/program/runtime.hpp"

/// Calls of OpenMP's own interface, which both runtimes have.
namespace steelyard::openmp::omp {

inline constexpr std::size_t get_thread_num = 0;
inline constexpr std::size_t get_num_threads = 1;
inline constexpr std::size_t get_team_size = 2;
inline constexpr std::size_t get_ancestor_thread_num = 3;
inline constexpr std::size_t slot_count = 4;

extern abi api;

}  // namespace steelyard::openmp::omp
