// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "schedules/chunks/equal_chunks.hpp"

namespace steelyard::schedules {

/// Self-scheduling, SS (OpenMP `schedule(dynamic, c)`): chunks of c iterations.
class dynamic_rule {
 public:
  static constexpr traits about{"dynamic", "a shared counter, c iterations at a time", "iterations per chunk (1)", true,
                                false};

  explicit dynamic_rule(const shape& loop) noexcept : chunk_(loop.chunk != 0 ? loop.chunk : 1) {}

  [[nodiscard]] std::uint64_t size() const noexcept { return chunk_; }

 private:
  std::uint64_t chunk_;
};

template <class Sync>
using dynamic = equal_chunks<Sync, dynamic_rule>;

}  // namespace steelyard::schedules
