// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "schedules/arithmetic.hpp"
#include "schedules/contract.hpp"

namespace steelyard::schedules {

/// The batches of factoring without statistics, FAC2 (Flynn Hummel, Schonberg & Flynn 1992, with x = 2): P chunks of ⌈R / 2P⌉
/// iterations, R what is left at the batch's start, at least c. They are known before the loop begins.
class halves {
 public:
  struct batch {
    std::uint64_t first = 0;
    std::uint64_t chunk = 0;
  };

  explicit halves(const shape& loop) noexcept {
    const auto least = std::clamp<std::uint64_t>(loop.chunk, 1, std::max<std::uint64_t>(loop.iterations, 1));
    std::uint64_t first = 0;
    for (auto& next : batches_) {
      const auto rest = loop.iterations - first;
      const auto chunk = std::max(ceil_div(rest, std::uint64_t{2} * loop.members), least);
      const auto chunks = ceil_div(rest, chunk);
      next = {first, chunk};
      ++count_;
      chunks_ += std::min<std::uint64_t>(chunks, loop.members);
      if (chunks <= loop.members) break;
      STEELYARD_ASSERT(&next != &batches_.back(), "64 batches finish any loop");
      first += loop.members * chunk;
    }
  }

  [[nodiscard]] const batch& operator[](std::uint64_t number) const noexcept { return batches_[number]; }
  [[nodiscard]] std::uint32_t count() const noexcept { return count_; }
  /// Of all batches.
  [[nodiscard]] std::uint64_t chunks() const noexcept { return chunks_; }

  /// Goes on from batch `number` to the one that holds iteration `at`, which is not before it.
  void go_to(std::uint64_t at, std::uint32_t& number) const noexcept {
    while (number + 1 < count_ && batches_[number + 1].first <= at) ++number;
  }

 private:
  std::uint64_t chunks_ = 0;
  std::uint32_t count_ = 0;
  /// Each batch takes at least half of the rest, so 64 finish any loop.
  std::array<batch, 64> batches_{};
};

}  // namespace steelyard::schedules
