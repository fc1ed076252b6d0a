// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pthread.h>

#include <algorithm>
#include <cstdint>

#include "runtime/lineage.hpp"

namespace steelyard::runtime {

/// The half of the calling thread's stack that it may use up by helping others while it waits; the other is its own.
class stack_half {
 public:
  /// Whether the caller's frame lies in it; true on a stack that the thread did not begin on, about which nothing is known.
  [[nodiscard]] bool is_here() noexcept {
    const auto at = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
    if (top_ == 0) look();
    return at - half_ < top_ - half_ || at - low_ >= top_ - low_;
  }

  /// Where the thread puts the frames of what is called from one that has `local`, or the first 16 MiB of that: of a stack without a
  /// limit (`ulimit -s unlimited`) the system says that it goes down to the heap. Nothing on a stack that the thread did not begin on.
  [[nodiscard]] stack_part below(const void* local) noexcept {
    const auto at = reinterpret_cast<std::uintptr_t>(local);
    if (top_ == 0) look();
    return at - low_ < top_ - low_ ? stack_part{at - std::min(at - low_, most_below), at} : stack_part{};
  }

 private:
  void look() noexcept {
    pthread_attr_t its;
    void* low = nullptr;
    std::size_t size = 0;
    if (pthread_getattr_np(pthread_self(), &its) == 0) {
      pthread_attr_getstack(&its, &low, &size);
      pthread_attr_destroy(&its);
    }
    low_ = reinterpret_cast<std::uintptr_t>(low);
    half_ = low_ + size / 2;
    top_ = low_ + (size != 0 ? size : 1);  // of size 1: the thread is nowhere on it
  }

  static constexpr std::uintptr_t most_below = std::uintptr_t{16} << 20;

  std::uintptr_t low_ = 0;
  std::uintptr_t half_ = 0;
  std::uintptr_t top_ = 0;
};

}  // namespace steelyard::runtime
