// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "schedules/chunks/halves.hpp"
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

  explicit factoring(const shape& loop) noexcept
      : iterations_(loop.iterations), members_(loop.members), batches_(loop) {}

  step next(member) noexcept {
    const auto ticket = taken_.fetch_add(1, sync::relaxed, sync::site{"F1"});
    if (ticket >= batches_.chunks()) return {};
    const auto first = start(ticket);
    STEELYARD_ASSERT(first < iterations_, "contract.hpp: a chunk begins in the loop");
    return {first, std::min(batches_[ticket / members_].chunk, iterations_ - first), 1};
  }

  /// Shared by all members: what nobody has taken yet.
  [[nodiscard]] std::uint64_t remaining(member) const noexcept {
    const auto ticket = taken_.load(sync::relaxed, sync::site{"F2"});
    return ticket < batches_.chunks() ? iterations_ - start(ticket) : 0;
  }

  [[nodiscard]] tally counts(member) const noexcept { return {}; }

 private:
  /// Where chunk `ticket` begins, one of the loop's. Only the last batch may hold fewer than P chunks.
  [[nodiscard]] std::uint64_t start(std::uint64_t ticket) const noexcept {
    const auto& of = batches_[ticket / members_];
    return of.first + ticket % members_ * of.chunk;
  }

  std::uint64_t iterations_;
  std::uint32_t members_;
  halves batches_;
  alignas(support::line_size) typename Sync::template atomic<std::uint64_t> taken_{};
};

}  // namespace steelyard::schedules
