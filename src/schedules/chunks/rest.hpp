// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "schedules/contract.hpp"
#include "sync/access.hpp"

namespace steelyard::schedules {

/// What nobody has taken yet of a loop, as one word that all members share (chunks.md).
template <class Sync>
class rest_of_loop {
 public:
  /// `loop.chunk`: no chunk but the last has fewer iterations.
  explicit rest_of_loop(const shape& loop) noexcept
      : iterations_(loop.iterations), least_(loop.chunk != 0 ? loop.chunk : 1) {}

  /// The next chunk, of `size(rest)` iterations where so many are left; `size` is asked again where another member was faster.
  template <class Size>
  step take(const Size& size) noexcept {
    auto first = taken_.load(sync::relaxed, sync::site{"G1"});
    while (first < iterations_) {
      const auto rest = iterations_ - first;
      const auto count = std::min(std::max<std::uint64_t>(size(rest), least_), rest);
      if (taken_.compare_exchange(first, first + count, sync::relaxed, sync::relaxed, sync::site{"G2"})) {
        STEELYARD_ASSERT(count != 0 && count <= iterations_ - first, "contract.hpp: a step lies in the loop");
        return {first, count, 1};
      }
    }
    return {};
  }

  [[nodiscard]] std::uint64_t remaining() const noexcept {
    const auto taken = taken_.load(sync::relaxed, sync::site{"G3"});
    STEELYARD_ASSERT(taken <= iterations_, "contract.hpp: no more is taken than there is");
    return iterations_ - taken;
  }

 private:
  std::uint64_t iterations_;
  std::uint64_t least_;
  alignas(support::line_size) typename Sync::template atomic<std::uint64_t> taken_{};
};

}  // namespace steelyard::schedules
