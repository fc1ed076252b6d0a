// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "schedules/chunks/chunk_times.hpp"
#include "schedules/contract.hpp"
#include "schedules/seats.hpp"

namespace steelyard::schedules {

/// A schedule whose rule asks for the times of iterations: it learns them from the chunks of some instances, for the next ones. The
/// members' sums lie behind the schedule, a line each.
template <class Schedule>
class alignas(support::line_size) measured {
  struct alignas(support::line_size) seat {
    chunk_times took;  ///< its member's alone until the loop has ended
  };

 public:
  static constexpr const traits& about = Schedule::about;
  static constexpr bool adapts = false;

  static std::size_t bytes(const shape& loop) noexcept {
    return sizeof(measured) + room(loop) + loop.members * sizeof(seat);
  }

  explicit measured(const shape& loop) noexcept
      : members_(loop.members), room_(room(loop)),
        seats_(reinterpret_cast<char*>(this + 1) + room_, members_, [](void* place, member) { ::new (place) seat(); }) {
    ::new (static_cast<void*>(this + 1)) Schedule(loop);
  }

  step next(member m) noexcept { return inner().next(m); }
  [[nodiscard]] std::uint64_t remaining(member m) const noexcept { return inner().remaining(m); }
  [[nodiscard]] tally counts(member m) const noexcept { return inner().counts(m); }

  void completed(member m, const step& chunk, chunk_time took) noexcept { seats_[m].took.add(chunk.count, took); }

  void learnt(loop_record& into) const noexcept {
    chunk_times all;
    for (member m = 0; m < members_; ++m) all.add(seats_[m].took);
    all.learn(into);
  }

 private:
  static std::size_t room(const shape& loop) noexcept { return support::whole_lines(Schedule::bytes(loop)); }
  Schedule& inner() noexcept { return *std::launder(reinterpret_cast<Schedule*>(this + 1)); }
  const Schedule& inner() const noexcept { return *std::launder(reinterpret_cast<const Schedule*>(this + 1)); }

  std::uint32_t members_;
  std::size_t room_;
  seats<seat> seats_;
};

}  // namespace steelyard::schedules
