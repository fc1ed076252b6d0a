// SPDX-License-Identifier: Apache-2.0
// What the threads of a pool have asked each other for, as lines "counter NAME: n" of a program's output.
#pragma once

#include <algorithm>
#include <cinttypes>
#include <cstdint>
#include <cstdio>

#include <steelyard/detail/task_core.h>
#include <steelyard/pool.hpp>

// Of all threads, and of the one that has asked most often.
inline void print_requests(const steelyard::pool& pool) {
  std::uint64_t all = 0, most = 0;
  for (std::uint32_t thread = 0; thread < pool.threads(); ++thread) {
    steelyard_task_counts its{};
    steelyard_pool_thread_task_counts(pool.handle(), thread, &its);
    all += its.stolen + its.refused;
    most = std::max(most, its.stolen + its.refused);
  }
  std::printf("counter requests: %" PRIu64 "\ncounter most requests: %" PRIu64 "\n", all, most);
}
