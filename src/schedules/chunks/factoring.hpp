// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>

#include "schedules/arithmetic.hpp"
#include "schedules/contract.hpp"
#include "sync/access.hpp"

namespace steelyard::schedules {

/// Factoring without statistics, FAC2 (Flynn Hummel, Schonberg & Flynn 1992, with x = 2).
/// Deal: not at all. Take: chunks in batches of P, ⌈R / 2P⌉ each, R what is left at the batch's start, at least c. Ask:
/// the counter. The batches are known beforehand, so a chunk's place follows from its ticket: one fetch_add.
template <class Sync>
class factoring {
 public:
  static constexpr traits about{"factoring", "a shared counter, batches of P chunks that halve the rest",
                                "least iterations per chunk (1)", true, false};

  static std::size_t bytes(const shape&) noexcept { return sizeof(factoring); }

  explicit factoring(const shape& loop) noexcept : iterations_(loop.iterations), members_(loop.members) {
    const auto least = std::clamp<std::uint64_t>(loop.chunk, 1, std::max<std::uint64_t>(iterations_, 1));
    std::uint64_t first = 0;
    for (auto& next : batches_) {
      const auto rest = iterations_ - first;
      const auto chunk = std::max(ceil_div(rest, std::uint64_t{2} * members_), least);
      const auto chunks = ceil_div(rest, chunk);
      next = {first, chunk};
      chunks_ += std::min<std::uint64_t>(chunks, members_);
      if (chunks <= members_) break;
      STEELYARD_ASSERT(&next != &batches_.back(), "64 batches finish any loop");
      first += members_ * chunk;
    }
  }

  step next(member) noexcept {
    const auto ticket = taken_.fetch_add(1, sync::relaxed, sync::site{"F1"});
    if (ticket >= chunks_) return {};
    const auto first = start(ticket);
    STEELYARD_ASSERT(first < iterations_, "contract.hpp: a chunk begins in the loop");
    return {first, std::min(batches_[ticket / members_].chunk, iterations_ - first), 1};
  }

  /// Shared by all members: what nobody has taken yet.
  [[nodiscard]] std::uint64_t remaining(member) const noexcept {
    const auto ticket = taken_.load(sync::relaxed, sync::site{"F2"});
    return ticket < chunks_ ? iterations_ - start(ticket) : 0;
  }

  [[nodiscard]] tally counts(member) const noexcept { return {}; }

 private:
  struct batch {
    std::uint64_t first = 0;
    std::uint64_t chunk = 0;
  };

  /// Where chunk `ticket` < chunks_ begins. Only the last batch may hold fewer than P chunks.
  [[nodiscard]] std::uint64_t start(std::uint64_t ticket) const noexcept {
    const auto& of = batches_[ticket / members_];
    return of.first + ticket % members_ * of.chunk;
  }

  std::uint64_t iterations_;
  std::uint64_t chunks_ = 0;
  std::uint32_t members_;
  /// Each batch takes at least half of the rest, so 64 finish any loop.
  std::array<batch, 64> batches_{};
  alignas(support::line_size) typename Sync::template atomic<std::uint64_t> taken_{};
};

}  // namespace steelyard::schedules
