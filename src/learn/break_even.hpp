// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "sync/average.hpp"
#include "sync/real.hpp"

namespace steelyard::learn {

/// The workers of a pool when a loop begins.
struct workers {
  bool some_sleep = false;
  std::uint64_t spinning = 0;  ///< how long they do, in ticks, before they sleep
};

/// How long a loop has to run alone until sharing it gains something, in ticks, by what opening loops on the same pool has cost.
class break_even {
 public:
  /// Of workers that spin, or have to be woken: sharing gains nothing before the first comes, and costs what opening costs.
  [[nodiscard]] std::uint64_t of(bool asleep) const noexcept {
    return arrival_[asleep].get() + 2 * opening_[asleep].get();
  }

  /// Of a loop that begins now. Loops that follow each other before a worker goes to sleep are worth the one wake-up, so they
  /// count as if it were awake.
  [[nodiscard]] std::uint64_t at(std::uint64_t now, const workers& they) const noexcept {
    const auto last_end = last_end_.load(sync::relaxed, sync::site{"A9"});
    const bool asleep = they.some_sleep && last_end + they.spinning <= now;
    const auto waking = of(true);
    return asleep || (waking != 0 && waking < of(false)) ? waking : of(false);
  }

  /// A loop ended, shared or not; about.
  void ended(std::uint64_t at) noexcept { last_end_.store(at, sync::relaxed, sync::site{"A9"}); }

  /// A loop was shared while workers slept, or none did: it took the caller so long to open it, and then the first worker so
  /// long to come; 0: none came while it ran, which was `ran`. That would have taken longer still.
  void shared(bool asleep, std::uint64_t opening, std::uint64_t first_arrival, std::uint64_t ran) noexcept {
    opening_[asleep].add(opening);
    auto& known = arrival_[asleep];
    if (first_arrival != 0) {
      known.add(first_arrival);
    } else if (ran > known.get()) {
      known.add(ran);
    }
  }

 private:
  sync::average opening_[2];
  sync::average arrival_[2];
  sync::real::atomic<std::uint64_t> last_end_{};
};

}  // namespace steelyard::learn
