// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "schedules/arithmetic.hpp"
#include "schedules/contract.hpp"
#include "schedules/seats.hpp"
#include "sync/access.hpp"

namespace steelyard::schedules {

/// A batch of equal chunks in a sequence that is known before the loop begins: where it starts, and how large its chunks are. Each
/// batch has one chunk for each member, or a single one (`per_batch`).
struct batch {
  std::uint64_t number = 0;
  std::uint64_t first = 0;
  std::uint64_t size = 0;

  /// The first batch of a loop.
  template <class Rule>
  [[nodiscard]] static batch begin(const Rule& rule, const shape& loop) noexcept {
    batch at;
    at.fit(rule, loop.iterations, loop.chunk);
    return at;
  }

  /// Goes on to that one, or to the end.
  template <class Rule>
  void go_to(std::uint64_t wanted, const Rule& rule, const shape& loop, std::uint32_t per_batch) noexcept {
    while (number < wanted && first != loop.iterations) {
      std::uint64_t all = 0;
      const auto rest = loop.iterations - first;
      const bool beyond = __builtin_mul_overflow(size, std::uint64_t{per_batch}, &all);
      first += beyond ? rest : std::min(all, rest);
      ++number;
      fit(rule, loop.iterations, loop.chunk);
    }
  }

 private:
  template <class Rule>
  void fit(const Rule& rule, std::uint64_t iterations, std::uint64_t least) noexcept {
    const auto rest = iterations - first;
    if (rest != 0)
      size = std::clamp<std::uint64_t>(rule.size(rest, number), std::clamp<std::uint64_t>(least, 1, rest), rest);
  }
};

/// Self-scheduling by such a sequence. Deal: not at all. Take: the next chunk. Ask: the counter, for a ticket: one fetch_add. Each
/// member goes along the sequence by itself, so nobody waits for who begins a batch. A schedule is its rule, made from the loop:
///
/// - `about`: what users see;
/// - `size(rest, number)`: of a chunk of that batch, before which `rest` > 0 iterations are left; what is too small or too large
///   is put right;
/// - `single`: whether a batch is one chunk; else it is one for each member.
template <class Sync, class Rule>
class alignas(support::line_size) in_batches {
  struct alignas(support::line_size) seat {
    batch at;  ///< its member's alone
  };
  using lines = seats<seat>;

 public:
  static constexpr const traits& about = Rule::about;

  static std::size_t bytes(const shape& loop) noexcept { return lines::template bytes_with<in_batches>(loop); }

  explicit in_batches(const shape& loop) noexcept
      : loop_(loop), rule_(loop), begin_(batch::begin(rule_, loop)), per_batch_(Rule::single ? 1 : loop.members),
        seats_(this + 1, loop.members, [this](void* place, member) { ::new (place) seat{begin_}; }) {}

  step next(member m) noexcept {
    STEELYARD_ASSERT(m < loop_.members, "contract.hpp: a member's number is below their number");
    const auto ticket = taken_.fetch_add(1, sync::relaxed, sync::site{"B1"});
    auto& at = seats_[m].at;
    at.go_to(ticket / per_batch_, rule_, loop_, per_batch_);
    const auto first = start(at, ticket);
    if (first == loop_.iterations) return {};
    return {first, std::min(at.size, loop_.iterations - first), 1};
  }

  /// Shared by all members: what nobody has taken yet.
  [[nodiscard]] std::uint64_t remaining(member) const noexcept {
    const auto ticket = taken_.load(sync::relaxed, sync::site{"B2"});
    auto at = begin_;
    at.go_to(ticket / per_batch_, rule_, loop_, per_batch_);
    return loop_.iterations - start(at, ticket);
  }

  [[nodiscard]] tally counts(member) const noexcept { return {}; }

 private:
  /// Where the chunk with that ticket begins, which is in this batch or behind the loop's end.
  [[nodiscard]] std::uint64_t start(const batch& at, std::uint64_t ticket) const noexcept {
    std::uint64_t before = 0;
    const auto rest = loop_.iterations - at.first;
    const bool beyond = __builtin_mul_overflow(ticket % per_batch_, at.size, &before);
    return beyond || before >= rest ? loop_.iterations : at.first + before;
  }

  shape loop_;
  Rule rule_;
  batch begin_;
  std::uint32_t per_batch_;
  lines seats_;
  alignas(support::line_size) typename Sync::template atomic<std::uint64_t> taken_{};
};

}  // namespace steelyard::schedules
