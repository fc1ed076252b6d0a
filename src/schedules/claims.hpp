// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "schedules/seats.hpp"
#include "sync/access.hpp"

namespace steelyard::schedules {

/// The shares of a preassigned schedule, one per member, each run by whoever claims it first: its owner, or, unless
/// everybody is certain to come, a member that has run its own. The protocol is in steal.md.
template <class Sync>
class claims {
  struct alignas(support::line_size) seat {
    typename Sync::template atomic<bool> claimed{};        ///< the share of this member
    typename Sync::template atomic<std::uint64_t> left{};  ///< iterations of the share it runs, not handed out yet
    // The owner's alone:
    std::uint32_t visited = 0;  ///< shares it has looked at: its own, then the others in turn
    member share = 0;           ///< the one it runs
    std::uint64_t at = 0;       ///< where it goes on in that share
    tally counts;
  };
  using lines = seats<seat>;

 public:
  template <class Schedule>
  static constexpr std::size_t bytes_with(const shape& loop) noexcept {
    return lines::template bytes_with<Schedule>(loop);
  }

  claims(void* behind, const shape& loop) noexcept
      : members_(loop.members), all_arrive_(loop.front_end.all_arrive),
        seats_(behind, loop.members, [](void* place, member) { ::new (place) seat(); }) {}

  /// Whether m got another share to run, then `share(m)`.
  bool next_share(member m) noexcept {
    STEELYARD_ASSERT(m < members_, "contract.hpp: a member's number is below their number");
    auto& own = seats_[m];
    const auto reach = all_arrive_ ? 1 : members_;
    while (own.visited < reach) {
      own.share = (m + own.visited++) % members_;
      if (claim(m, own.share)) return true;
    }
    return false;
  }

  [[nodiscard]] member share(member m) const noexcept { return seats_[m].share; }
  [[nodiscard]] std::uint64_t& at(member m) noexcept { return seats_[m].at; }
  [[nodiscard]] bool claimed(member m) const noexcept {
    return seats_[m].claimed.load(sync::relaxed, sync::site{"C1"});
  }
  [[nodiscard]] tally counts(member m) const noexcept { return seats_[m].counts; }

  /// Iterations of the share that m runs and has not handed out; written by m only.
  [[nodiscard]] std::uint64_t left(member m) const noexcept {
    return seats_[m].left.load(sync::relaxed, sync::site{"C2"});
  }
  void set_left(member m, std::uint64_t iterations) noexcept {
    seats_[m].left.store(iterations, sync::relaxed, sync::site{"C3"});
  }

 private:
  bool claim(member m, member share) noexcept {
    auto& claimed = seats_[share].claimed;
    if (all_arrive_) {
      // Nobody else wants it; the mark is for readers of `remaining`.
      claimed.store(true, sync::relaxed, sync::site{"C4"});
      return true;
    }
    if (claimed.load(sync::relaxed, sync::site{"C5"})) return false;
    auto& counts = seats_[m].counts;
    if (share != m) ++counts.attempts;
    if (claimed.exchange(true, sync::relaxed, sync::site{"C6"})) return false;
    if (share != m) ++counts.steals;
    return true;
  }

  std::uint32_t members_;
  bool all_arrive_;
  lines seats_;
};

}  // namespace steelyard::schedules
