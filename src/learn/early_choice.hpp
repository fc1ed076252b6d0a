// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

namespace steelyard::learn {

/// Equal blocks, or stealing, for brief loops of which nothing is foretold yet. Handing out a loop of a few microseconds may take as long as its
/// iterations do, and equal blocks are handed out once; but costs may be uneven. So each of the two runs for a `lot`, equal blocks
/// first, and the one that took less for each iteration stays. All in ticks; O(1). Not for several threads at once.
class early_choice {
 public:
  /// What takes longer is stolen: it is foretold soon.
  static constexpr std::uint64_t brief = 100'000;
  static constexpr std::uint64_t lot = 250'000;

  /// How the next instance is to run.
  [[nodiscard]] bool is_equal() const noexcept { return now_ == equal; }

  /// One of `n` iterations ran as is_equal() said, and took so long.
  void took(std::uint64_t ticks, std::uint64_t n) noexcept {
    if (is_settled_ || (now_ == stealing && of_[equal].ticks < lot && ticks >= brief)) return;
    if (now_ == stealing && of_[equal].ticks < lot) {
      now_ = equal;
      return;
    }
    auto& its = of_[now_];
    its.ticks += ticks;
    its.iterations += n;
    if (its.ticks < lot) return;
    is_settled_ = now_ == stealing;
    const auto& steal = of_[stealing];
    const bool is_faster = is_settled_ && per_iteration(of_[equal], steal) < per_iteration(steal, of_[equal]);
    now_ = is_faster ? equal : stealing;
  }

 private:
  enum which : std::uint8_t { stealing, equal };
  struct sum {
    std::uint64_t ticks = 0;
    std::uint64_t iterations = 0;
  };

  using wide = unsigned __int128;
  /// Of two that are compared; in the same unit.
  static wide per_iteration(const sum& its, const sum& other) noexcept { return wide{its.ticks} * other.iterations; }

  sum of_[2];
  which now_ = stealing;
  bool is_settled_ = false;
};

}  // namespace steelyard::learn
