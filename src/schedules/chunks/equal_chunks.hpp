// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "schedules/contract.hpp"
#include "sync/access.hpp"

namespace steelyard::schedules {

/// Self-scheduling by equal chunks. Deal: not at all. Take: a chunk. Ask: the counter of chunks: one fetch_add. A schedule is its
/// rule, made from the loop:
///
/// - `about`: what users see;
/// - `size()`: iterations in a chunk, at least 1.
template <class Sync, class Rule>
class equal_chunks {
 public:
  static constexpr const traits& about = Rule::about;

  static std::size_t bytes(const shape&) noexcept { return sizeof(equal_chunks); }

  explicit equal_chunks(const shape& loop) noexcept
      : iterations_(loop.iterations), chunk_(Rule(loop).size()),
        chunks_(iterations_ / chunk_ + (iterations_ % chunk_ != 0 ? 1 : 0)) {}

  /// Counts chunks, not iterations: late calls after the end can not wrap the counter around.
  step next(member) noexcept {
    const auto ticket = taken_.fetch_add(1, sync::relaxed, sync::site{"Y1"});
    if (ticket >= chunks_) return {};
    const auto first = ticket * chunk_;
    STEELYARD_ASSERT(first < iterations_, "contract.hpp: a chunk begins in the loop");
    return {first, std::min(chunk_, iterations_ - first), 1};
  }

  /// Shared by all members: what nobody has taken yet.
  [[nodiscard]] std::uint64_t remaining(member) const noexcept {
    const auto ticket = taken_.load(sync::relaxed, sync::site{"Y2"});
    return ticket < chunks_ ? iterations_ - ticket * chunk_ : 0;
  }

  [[nodiscard]] tally counts(member) const noexcept { return {}; }

 private:
  std::uint64_t iterations_;
  std::uint64_t chunk_;
  std::uint64_t chunks_;
  alignas(support::line_size) typename Sync::template atomic<std::uint64_t> taken_{};
};

}  // namespace steelyard::schedules
