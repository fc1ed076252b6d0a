// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sched.h>

#include <cstdint>

#include "support/ticks.hpp"
#include "sync/average.hpp"
#include "sync/real.hpp"

namespace steelyard::runtime {

/// What being woken takes here, as the pool has seen it.
struct wake_ups {
  sync::average took;    ///< in support::ticks
  bool crowded = false;  ///< not every member has a processor: who spins has one that another needs

  // Of the one that is on its way: hints.
  sync::real::atomic<int> from{-1};        ///< the processor of who began it
  sync::real::atomic<std::uint64_t> at{};  ///< when; 0: there is none

  /// By who is about to wake somebody that sleeps. While one wake-up is on its way, the next is the same.
  void begin() noexcept {
    from.store(sched_getcpu(), sync::relaxed, sync::site{"W6"});
    if (at.load(sync::relaxed, sync::site{"W10"}) == 0) at.store(support::ticks(), sync::relaxed, sync::site{"W10"});
  }

  [[nodiscard]] std::uint64_t worth_waiting() const noexcept { return crowded ? 0 : took.get(); }
};

/// How long to wait before sleeping: about as long as it takes to be woken, which is at most twice what the better of the
/// two would have cost (ski rental); at least a thousand looks, which is some ten microseconds.
class idle_wait {
 public:
  explicit idle_wait(const wake_ups& known) noexcept : waking_(known.worth_waiting()) {}

  [[nodiscard]] std::uint64_t waited() const noexcept { return support::ticks() - began_; }

  /// Whether to look once more.
  [[nodiscard]] bool lasts() noexcept {
    ++looks_;
    return looks_ < least_looks || (looks_ < most_looks && waited() < waking_);
  }

  /// A look at who has tasks takes the line that its owner writes for each of them: often in the beginning, then about once
  /// in a microsecond.
  [[nodiscard]] bool is_time_to_steal() const noexcept {
    return looks_ < looks_at_once || looks_ % looks_between_thefts == 0;
  }

 private:
  static constexpr std::uint32_t looks_at_once = 8;
  static constexpr std::uint32_t looks_between_thefts = 32;
  // A pause is some 10 to 40 ns.
  static constexpr std::uint32_t least_looks = 1000;
  /// Only where the machine has no time for the process does waking take longer than this.
  static constexpr std::uint32_t most_looks = 16 * least_looks;

  std::uint64_t waking_;
  std::uint64_t began_ = support::ticks();
  std::uint32_t looks_ = 0;
};

}  // namespace steelyard::runtime
