// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

#include "support/ticks.hpp"

#include <steelyard/steelyard.h>

namespace steelyard::loop {

/// Tells a program how far its loop is, now and then: on the caller's thread, and never fewer than before.
class progress {
 public:
  explicit progress(const steelyard_loop& asked) noexcept : asked_(asked) {}

  [[nodiscard]] bool is_due() noexcept {
    if (asked_.progress == nullptr) return false;
    const auto now = support::ticks();
    if (now - said_ < ticks_between) return false;
    said_ = now;
    return true;
  }

  void say(std::uint64_t taken) {
    most_ = std::max(most_, taken);
    asked_.progress(asked_.progress_context, most_);
  }

 private:
  static constexpr std::uint64_t ticks_between = 50'000'000;

  const steelyard_loop& asked_;
  std::uint64_t said_ = 0;
  std::uint64_t most_ = 0;
};

}  // namespace steelyard::loop
