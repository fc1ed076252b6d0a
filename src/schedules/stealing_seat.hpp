// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "schedules/contract.hpp"
#include "schedules/range.hpp"

namespace steelyard::schedules {

/// A member's seat in `stealing`: one line.
template <class Sync>
struct alignas(support::line_size) stealing_seat {
  template <class T>
  using atomic = typename Sync::template atomic<T>;

  stealing_seat(range share, std::uint32_t cost, std::uint64_t seed, std::uint8_t of_share) noexcept
      : waiting(share.word()), hint(of_share), unit_cost(cost), came(share.begin()), half(share.size() / 2),
        left(share.word()), draws(seed) {}

  atomic<std::uint64_t> waiting;    ///< a range: what its owner has not taken yet; thieves take from it
  atomic<bool> arrived{};           ///< a hint, set by the owner
  atomic<bool> busy{};              ///< a hint, set and cleared by thieves
  bool finished = false;            ///< the owner's, as all below but one: it has been told that there is nothing left
  std::uint8_t hint;                ///< what it has said last
  atomic<std::uint32_t> unit_cost;  ///< a hint, set by the owner: what a unit of the range costs that it has now
  std::uint32_t came;               ///< where that range began, when it came by it
  std::uint32_t half;               ///< of the units that it had when it spoke last
  std::uint64_t left;               ///< `waiting` as it wrote or saw it last; thieves may have taken from it since
  range reserved;                   ///< taken, and not yet handed out
  std::uint64_t draws;              ///< state of its random sequence
  tally counts;
};

}  // namespace steelyard::schedules
