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
    const auto word = word_.load(sync::relaxed, sync::site{"A12"});
    return word == 0 || word - 1 <= expected;
  }

  /// Whether nothing was read yet.
  [[nodiscard]] bool is_new() const noexcept { return word_.load(sync::relaxed, sync::site{"A12"}) == 0; }

  /// As if something had been read in so much time, if nothing was: then the first time counts as well.
  void begin(std::uint64_t took) noexcept {
    if (is_new()) word_.store(1 + took * times_as_long, sync::relaxed, sync::site{"A12"});
  }

  /// Reading took so long. The first time is not counted: it is the longest, and says little of the next.
  void add(std::uint64_t took) noexcept {
    const auto word = word_.load(sync::relaxed, sync::site{"A12"});
    word_.store(word == 0 ? 1 : word + took * times_as_long, sync::relaxed, sync::site{"A12"});
  }

  /// A loop ran so long.
  void pay(std::uint64_t took) noexcept {
    const auto word = word_.load(sync::relaxed, sync::site{"A12"});
    if (word > 1) word_.store(word - std::min(word - 1, took), sync::relaxed, sync::site{"A12"});
  }

 private:
  /// Loops with costs take so many times as long as reading them: it is 0.4 percent.
  static constexpr std::uint64_t times_as_long = 250;

  sync::real::atomic<std::uint64_t>
      word_{};  ///< 0: nothing was read yet; else one more than ticks that loops have still to run
};

}  // namespace steelyard::learn
