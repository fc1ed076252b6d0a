// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <new>

#include "schedules/contract.hpp"

namespace steelyard::schedules {

/// The members' own lines, in the caller's memory right behind the schedule: a schedule with seats is aligned to a
/// line, so the first seat is too.
template <class Seat>
class seats {
 public:
  static_assert(alignof(Seat) == support::line_size);

  template <class Schedule>
  static constexpr std::size_t bytes_with(const shape& loop) noexcept {
    static_assert(alignof(Schedule) == support::line_size);
    return sizeof(Schedule) + loop.members * sizeof(Seat);
  }

  /// Nothing lives at `behind` before; `make(place, m)` constructs the seat of member m there.
  template <class Make>
  seats(void* behind, std::uint32_t members, const Make& make) noexcept : first_(static_cast<Seat*>(behind)) {
    STEELYARD_ASSERT(reinterpret_cast<std::uintptr_t>(behind) % support::line_size == 0,
                     "contract.hpp: the state's memory is aligned to a line");
    STEELYARD_ASSERT(members >= 1 && members <= max_members, "contract.hpp: a loop has 1 to max_members members");
    for (member m = 0; m < members; ++m) make(static_cast<void*>(first_ + m), m);
  }

  Seat& operator[](member m) noexcept { return first_[m]; }
  const Seat& operator[](member m) const noexcept { return first_[m]; }

 private:
  Seat* first_;
};

}  // namespace steelyard::schedules
