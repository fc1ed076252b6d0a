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
  /// Of workers that spin, or have to be woken: sharing gains nothing before the first comes, and costs what opening and ending
  /// it cost. 0: no loop was shared so far while they did.
  [[nodiscard]] std::uint64_t of(bool asleep) const noexcept {
    const auto arrival = arrival_[asleep].get();
    return arrival != 0 ? arrival + 2 * (opening_[asleep].get() + ending_.get()) : 0;
  }

  /// Of a loop that begins now. Loops that follow each other before a worker goes to sleep are worth the one wake-up, so they
  /// count as if it were awake; unless some have slept in all loops so far, as where a loop is for fewer members.
  [[nodiscard]] std::uint64_t at(std::uint64_t now, const workers& they) const noexcept {
    const auto last_end = last_end_.load(sync::relaxed, sync::site{"A9"});
    const bool asleep = they.some_sleep && (last_end + they.spinning <= now || of(false) == 0);
    const auto waking = of(true);
    return asleep || (waking != 0 && waking < of(false)) ? waking : of(false);
  }

  /// A loop ended, shared or not; about.
  void ended(std::uint64_t at) noexcept { last_end_.store(at, sync::relaxed, sync::site{"A9"}); }

  /// What sharing a loop cost, in ticks.
  struct cost {
    std::uint64_t opening = 0;        ///< until the caller began
    std::uint64_t first_arrival = 0;  ///< until the first worker came; 0: none came while it ran
    std::uint64_t ending = 0;         ///< from when the last member left until the caller knew
    std::uint64_t ran = 0;            ///< all of it
  };

  /// A loop was shared while workers slept, or none did. Where no worker came, that would have taken longer still than it ran;
  /// but if they do not sleep they have lost their cores, and that says nothing of how soon they come otherwise.
  void shared(bool asleep, const cost& its) noexcept {
    opening_[asleep].add(its.opening);
    auto& arrival = arrival_[asleep];
    if (its.first_arrival != 0) {
      arrival.add(its.first_arrival);
      ending_.add(its.ending);
    } else if (its.ran > arrival.get() && (asleep || arrival.get() == 0)) {
      arrival.add(its.ran);
    }
  }

 private:
  sync::average opening_[2];
  sync::average arrival_[2];
  sync::average ending_;
  sync::real::atomic<std::uint64_t> last_end_{};
};

}  // namespace steelyard::learn
