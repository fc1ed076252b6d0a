// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

namespace steelyard::model {

/// Threads of one execution, the one that sets up and finishes included.
inline constexpr unsigned max_threads = 8;

/// The thread that runs the world's constructor before the others start and `finish` after they ended.
inline constexpr unsigned main_thread = max_threads - 1;

/// A vector clock: how many events of each thread happen before a point. Event i of thread t (counted from 1) happens
/// before the point iff `at[t] >= i`.
struct clock {
  std::array<std::uint32_t, max_threads> at{};

  void join(const clock& other) noexcept {
    for (unsigned t = 0; t < max_threads; ++t) at[t] = std::max(at[t], other.at[t]);
  }
};

}  // namespace steelyard::model
