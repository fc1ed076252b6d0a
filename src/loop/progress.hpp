// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "sync/real.hpp"

#include <steelyard/steelyard.h>

namespace steelyard::loop {

/// Whether the program wants the loop stopped.
[[nodiscard]] inline bool is_to_stop(const steelyard_loop& asked) noexcept {
  return asked.stop != nullptr && sync::real::load_foreign(*asked.stop, sync::site{"M8"}) != 0;
}

/// Whether it may stop it, or wants to know how far it is.
[[nodiscard]] inline bool is_in_parts(const steelyard_loop& asked) noexcept {
  return asked.stop != nullptr || asked.progress != nullptr;
}

/// Tells a program how far its loop is, now and then: on the caller's thread, and never fewer than before.
class progress {
 public:
  explicit progress(const steelyard_loop& asked) noexcept : asked_(asked) {}

  [[nodiscard]] bool is_due() noexcept {
    if (asked_.progress == nullptr) return false;
    const auto now = clock::now();
    if (said_ != clock::time_point{} && now - said_ < between) return false;
    said_ = now;
    return true;
  }

  void say(std::uint64_t taken) {
    most_ = std::max(most_, taken);
    asked_.progress(asked_.progress_context, most_);
  }

 private:
  using clock = std::chrono::steady_clock;
  static constexpr std::chrono::milliseconds between{20};

  const steelyard_loop& asked_;
  clock::time_point said_{};
  std::uint64_t most_ = 0;
};

}  // namespace steelyard::loop
