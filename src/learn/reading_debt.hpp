// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

#include "sync/real.hpp"

namespace steelyard::learn {

/// When the costs of a place's loops are worth reading: reading them makes a debt, which loops that use them pay with the time
/// that they run (docs/decisions/013 and 014).
class reading_debt {
 public:
  /// Whether a loop that is expected to run so long pays all of it.
  [[nodiscard]] bool is_paid_by(std::uint64_t expected) const noexcept {
    return left_.load(sync::relaxed, sync::site{"A12"}) <= expected;
  }

  /// Reading took so long. The first time is not counted: it is the longest, and says little of the next.
  void add(std::uint64_t took) noexcept {
    if (has_read_.load(sync::relaxed, sync::site{"A12"})) {
      const auto left = left_.load(sync::relaxed, sync::site{"A12"});
      left_.store(left + took * times_as_long, sync::relaxed, sync::site{"A12"});
    }
    has_read_.store(true, sync::relaxed, sync::site{"A12"});
  }

  /// A loop ran so long.
  void pay(std::uint64_t took) noexcept {
    const auto left = left_.load(sync::relaxed, sync::site{"A12"});
    if (left != 0) left_.store(left - std::min(left, took), sync::relaxed, sync::site{"A12"});
  }

 private:
  /// Loops with costs take so many times as long as reading them: it is 0.4 percent.
  static constexpr std::uint64_t times_as_long = 250;

  sync::real::atomic<std::uint64_t> left_{};  ///< ticks that loops have still to run
  sync::real::atomic<bool> has_read_{};
};

}  // namespace steelyard::learn
