// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "support/cache_line.hpp"
#include "sync/real.hpp"

namespace steelyard::dataflow {

/// Tasks with a cumulative operation may run at the same time, but operations on one object do not. Objects share locks.
class alignas(support::line_size) accumulation_lock {
 public:
  void lock() noexcept {
    for (std::uint32_t turn = 0; word_.exchange(1, sync::acquire, sync::site{"A4"}) != 0; ++turn) {
      sync::real::relax(turn);
    }
  }
  void unlock() noexcept { word_.store(0, sync::release, sync::site{"A5"}); }

 private:
  sync::real::atomic<std::uint32_t> word_{};
};

[[nodiscard]] inline accumulation_lock& lock_of(const void* object) noexcept {
  constexpr unsigned bits = 6;
  static constinit accumulation_lock locks[1U << bits];
  return locks[(reinterpret_cast<std::uintptr_t>(object) * 0x9e3779b97f4a7c15U) >> (64 - bits)];
}

}  // namespace steelyard::dataflow
