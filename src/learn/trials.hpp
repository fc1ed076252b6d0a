// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "sync/real.hpp"

namespace steelyard::learn {

/// When the loops of a place are run the other way, to see what that takes now: so that both ways stay known, at one percent.
class trials {
 public:
  /// Whether a loop is to be run for once as seems worse, which may cost `cost`; else it takes `expected`.
  [[nodiscard]] bool is_time(std::uint64_t expected, std::uint64_t cost) noexcept {
    const auto left = until_next_.load(sync::relaxed, sync::site{"A5"});
    if (left > expected) {
      until_next_.store(left - expected, sync::relaxed, sync::site{"A5"});
      return false;
    }
    const auto before = made_.load(sync::relaxed, sync::site{"A5"});
    const auto times = before < early ? std::uint64_t{1} << before : between;
    made_.store(before + 1, sync::relaxed, sync::site{"A5"});
    until_next_.store(times * cost, sync::relaxed, sync::site{"A5"});
    return left != 0;
  }

 private:
  /// A trial is made once in so many times of what it may cost. More often in the beginning, when little is known: after once,
  /// twice, four times, …
  static constexpr std::uint64_t between = 128;
  static constexpr std::uint32_t early = 7;

  sync::real::atomic<std::uint32_t> made_{};
  sync::real::atomic<std::uint64_t> until_next_{};  ///< ticks of such runs
};

}  // namespace steelyard::learn
