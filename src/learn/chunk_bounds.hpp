// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

#include "learn/rate.hpp"
#include "schedules/contract.hpp"

namespace steelyard::learn {

/// How many iterations are worth handing out at once, and how many are too many.
struct chunk_bounds {
  std::uint64_t grain;
  std::uint64_t most_at_once;

  /// Handing out a chunk costs some fifty ticks in the schedule, and twice as many around it: the call of the body, and the end of its loop, which the processor does not
  /// foresee. So together a seventh of a chunk that is as small as it gets.
  static constexpr std::uint64_t ticks_around_a_call = 100;
  static constexpr std::uint64_t ticks_worth_handing_out = 1000;
  /// But a member's share is never in fewer chunks than this.
  static constexpr std::uint64_t least_chunks = 32;
  /// A loop may wait for a chunk at its end: no more than this long, or a small part of a member's share.
  static constexpr std::uint64_t ticks_worth_waiting_for = 50'000;
  static constexpr std::uint64_t most_chunks = 256;

  /// Of a loop whose iterations take that long.
  [[nodiscard]] static constexpr chunk_bounds of(std::uint64_t iterations, std::uint32_t members,
                                                 std::uint64_t rate) noexcept {
    const auto share = iterations / members;
    const auto worth_it = iterations_in(ticks_worth_handing_out, rate);
    return {std::max<std::uint64_t>(std::min(worth_it, share / least_chunks), 1),
            std::max({iterations_in(ticks_worth_waiting_for, rate), share / most_chunks, std::uint64_t{1}})};
  }
};

/// The loop's schedule is to know them, at that rate; 0: it is not known.
constexpr void know_rate(schedules::shape& loop, std::uint64_t rate) noexcept {
  const auto bounds = chunk_bounds::of(loop.iterations, loop.members, rate);
  loop.known.grain = bounds.grain;
  loop.known.most_at_once = bounds.most_at_once;
}

}  // namespace steelyard::learn
