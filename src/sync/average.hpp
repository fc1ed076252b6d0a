// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

#include "sync/real.hpp"

namespace steelyard::sync {

/// An average of durations in ticks that leans to the short ones: what took longer was disturbed, or was met for the first
/// time. A shorter sample counts half, and alone where it is below a quarter of the average, because nothing takes far less than
/// it needs; a longer one an eighth, and as four times the average at most, because a thread that lost its core says
/// nothing of what it did. Any thread may add; samples lost to a race do not matter.
class average {
 public:
  void add(std::uint64_t sample) noexcept {
    const auto before = get();
    if (before == 0 || sample < before / 4) return restart(sample);
    const auto change = sample < before ? (before - sample) / 2 : (std::min(sample, 4 * before) - before + 7) / 8;
    value_.store(sample < before ? before - change : before + change, relaxed, site{"A1"});
  }
  /// Forgets what was added before.
  void restart(std::uint64_t sample) noexcept { value_.store(sample != 0 ? sample : 1, relaxed, site{"A1"}); }
  /// As if nothing had been added yet.
  void clear() noexcept { value_.store(0, relaxed, site{"A1"}); }
  /// 0: nothing was added yet.
  [[nodiscard]] std::uint64_t get() const noexcept { return value_.load(relaxed, site{"A2"}); }

 private:
  real::atomic<std::uint64_t> value_{};
};

}  // namespace steelyard::sync
