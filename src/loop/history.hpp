// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

#include "support/cache_line.hpp"
#include "sync/real.hpp"

namespace steelyard::loop {

/// An average of durations in ticks that leans to the short ones: what took longer was disturbed, or was met for the first
/// time. A shorter sample counts half, a longer one an eighth, and as four times the average at most, because a thread that
/// lost its core says nothing of what it did. Any thread may add; samples lost to a race do not matter.
class average {
 public:
  void add(std::uint64_t sample) noexcept {
    const auto before = get();
    if (before == 0) return restart(sample);
    const auto change = sample < before ? (before - sample) / 2 : (std::min(sample, 4 * before) - before + 7) / 8;
    value_.store(sample < before ? before - change : before + change, sync::relaxed, sync::site{"A1"});
  }
  /// Forgets what was added before.
  void restart(std::uint64_t sample) noexcept {
    value_.store(sample != 0 ? sample : 1, sync::relaxed, sync::site{"A1"});
  }
  /// 0: nothing was added yet.
  [[nodiscard]] std::uint64_t get() const noexcept { return value_.load(sync::relaxed, sync::site{"A2"}); }

 private:
  sync::real::atomic<std::uint64_t> value_{};
};

/// What is known of the loops of one place in the program, from their earlier runs.
struct alignas(support::line_size) history {
  sync::real::atomic<const void*> key{};
  /// Ticks of 1,024 iterations: on the caller alone, and of all members together. The latter holds what sharing adds.
  average alone;
  average together;
  /// How often it was tried the other way, to see what that costs now, and until it is again: ticks of such runs.
  sync::real::atomic<std::uint32_t> trials{};
  sync::real::atomic<std::uint64_t> until_trial{};
};

/// The history of the place that this address stands for (of the code that runs its body); nullptr when the table is full.
[[nodiscard]] history* history_of(const void* key) noexcept;

}  // namespace steelyard::loop
