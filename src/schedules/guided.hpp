// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "schedules/arithmetic.hpp"
#include "schedules/contract.hpp"
#include "sync/access.hpp"

namespace steelyard::schedules {

/// Guided self-scheduling (Polychronopoulos & Kuck 1987; OpenMP `schedule(guided, c)`, by libgomp's rule).
/// Deal: not at all. Take: ⌈R / P⌉ of the R iterations left, at least c. Ask: the counter, by compare-and-swap.
template <class Sync>
class guided {
 public:
  static constexpr traits about{"guided", "a shared counter, a P-th of the rest at a time",
                                "least iterations per chunk (1)", true, false};

  static std::size_t bytes(const shape&) noexcept { return sizeof(guided); }

  explicit guided(const shape& loop) noexcept
      : iterations_(loop.iterations), members_(loop.members), least_(loop.chunk != 0 ? loop.chunk : 1) {}

  step next(member) noexcept {
    auto first = taken_.load(sync::relaxed, sync::site{"G1"});
    while (first < iterations_) {
      const auto rest = iterations_ - first;
      const auto count = std::min(std::max(ceil_div(rest, members_), least_), rest);
      if (taken_.compare_exchange(first, first + count, sync::relaxed, sync::relaxed, sync::site{"G2"})) {
        STEELYARD_ASSERT(count != 0 && count <= iterations_ - first, "contract.hpp: a step lies in the loop");
        return {first, count, 1};
      }
    }
    return {};
  }

  /// Shared by all members: what nobody has taken yet.
  [[nodiscard]] std::uint64_t remaining(member) const noexcept {
    const auto taken = taken_.load(sync::relaxed, sync::site{"G3"});
    STEELYARD_ASSERT(taken <= iterations_, "contract.hpp: no more is taken than there is");
    return iterations_ - taken;
  }

  [[nodiscard]] tally counts(member) const noexcept { return {}; }

 private:
  std::uint64_t iterations_;
  std::uint64_t members_;
  std::uint64_t least_;
  alignas(support::line_size) typename Sync::template atomic<std::uint64_t> taken_{};
};

}  // namespace steelyard::schedules
