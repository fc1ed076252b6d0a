// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

#include "sync/real.hpp"

namespace steelyard::learn {

/// When the loops of a place are run the other way, to see what that takes now: so that both ways stay known, at about a percent.
class trials {
 public:
  /// The next run of a place.
  struct run {
    bool alone = false;          ///< seems better than shared
    std::uint64_t expected = 0;  ///< what it takes that way
    std::uint64_t trial = 0;     ///< how much longer the other takes, about
    bool wakes = false;          ///< shared it would wake workers who sleep because the last ones ran alone
  };

  /// Whether it is to run as seems worse. A trial is of four runs, for one that was disturbed says little; those that wake
  /// workers do not count, up to so many. It ends when the other way seems worse.
  [[nodiscard]] bool is_time(const run& next) noexcept {
    const auto word = word_.load(sync::relaxed, sync::site{"A5"});
    const auto rest = word / a_part % parts;
    if (rest != 0) {
      const std::uint64_t its = next.wakes ? 1 : parts_of_run;
      if (rest >= its && (word / of_alone % 2 == 0) == next.alone) {
        word_.store(word - its * a_part, sync::relaxed, sync::site{"A5"});
        return true;
      }
    }
    const auto left = word / a_tick;
    const auto made = word % a_part;
    if (left > next.expected) {
      word_.store((left - next.expected) * a_tick + made, sync::relaxed, sync::site{"A5"});
      return false;
    }
    const auto times = made < early ? std::uint64_t{1} << made : between;
    const auto then = left != 0 ? (parts - 1) * a_part + (next.alone ? 0 : of_alone) : 0;
    word_.store(times * next.trial * a_tick + then + std::min(made + 1, early), sync::relaxed, sync::site{"A5"});
    return left != 0;
  }

 private:
  /// A trial is made once in so many times of what a run of it costs. More often in the beginning, when little is known: after
  /// once, twice, four times, …
  static constexpr std::uint64_t between = 512;
  static constexpr std::uint64_t early = 9;
  static constexpr std::uint64_t parts = 16;  ///< of a trial: a run that wakes workers is one of them
  static constexpr std::uint64_t parts_of_run = 4;

  // The word: | ticks until the next: 55 | whether this one is of runs alone: 1 | what is left of it: 4 | how many were made: 4 |
  static constexpr std::uint64_t a_part = 16;
  static constexpr std::uint64_t of_alone = parts * a_part;
  static constexpr std::uint64_t a_tick = 2 * of_alone;
  static_assert(early < a_part);

  sync::real::atomic<std::uint64_t> word_{};
};

}  // namespace steelyard::learn
