// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "support/cache_line.hpp"
#include "sync/forks.hpp"
#include "sync/hand_over.hpp"

namespace steelyard::dataflow {

/// Tasks with a cumulative operation may run at the same time, but operations on one object do not. Objects share locks.
class alignas(support::line_size) accumulation_lock {
 public:
  void lock() noexcept {
    lock_.lock(sync::forks());
    sync::receive(this);
  }
  void unlock() noexcept {
    sync::hand_over(this);
    lock_.unlock();
  }

 private:
  sync::fork_safe_lock<sync::real> lock_;
};

[[nodiscard]] inline accumulation_lock& lock_of(const void* object) noexcept {
  constexpr unsigned bits = 6;
  static constinit accumulation_lock locks[1U << bits];
  return locks[(reinterpret_cast<std::uintptr_t>(object) * 0x9e3779b97f4a7c15U) >> (64 - bits)];
}

}  // namespace steelyard::dataflow
