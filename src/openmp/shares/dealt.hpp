// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "learn/shares.hpp"
#include "openmp/program/site.hpp"
#include "openmp/shares/choosing.hpp"
#include "support/cache_line.hpp"
#include "sync/real.hpp"

namespace steelyard::openmp {

/// What one team does with the static loops of one trip count of its region.
struct dealt {
  dealt* next = nullptr;
  site* first = nullptr;
  const site* only = nullptr;  ///< it is for the loop there alone; nullptr: for all static loops of that trip count
  std::uint64_t iterations = 0;
  std::uint32_t members = 0;
  // What may change at barriers:
  const std::uint64_t* ends = nullptr;  ///< nullptr: equal blocks
  std::uint64_t* own_ends = nullptr;    ///< room for others
  bool may_change = false;
  const learn::shares* before = nullptr;  ///< what was known at the fork; nullptr: nothing
  learn::shares* known = nullptr;         ///< what was learnt since then; nullptr: nothing
  std::uint64_t longest = 0;              ///< ticks of that, of the members that the others waited for
  remark<bool> stays;                     ///< one of the loops is not to change at barriers
  bool chooses = false;                   ///< under `jit` …
  chosen how;                             ///< … they run like this
  bool is_new = false;                    ///< nothing is known of them
  remark<const char*> keeps;              ///< why such loops are to keep equal blocks from the next region on

  /// A member's line.
  struct alignas(support::line_size) taken {
    statistic ticks;
    statistic loops;
    std::uint64_t behind = 0;     ///< the barrier that it comes to next, from 1, where it met such a loop; 0: never
    remark<std::uint64_t> began;  ///< with the first of them, in ticks
  };
  [[nodiscard]] taken& of(std::uint32_t member) noexcept { return times[member]; }
  taken* times = nullptr;  ///< nullptr: blocks are not timed

  /// Those blocks, which hold each iteration once.
  void deal(const std::uint64_t* blocks) noexcept;

  /// With a line for each member's times, and with room for the ends of their blocks, or without; nullptr: there is no memory.
  [[nodiscard]] static dealt* make(std::uint32_t members, bool timed, bool room_for_ends) noexcept;
  static void give_back(dealt* record) noexcept;
  static void give_back_all(dealt* all) noexcept;

 private:
  std::uint64_t bytes_ = 0;  ///< of this block
};

/// Of the ends of so many blocks.
[[nodiscard]] constexpr std::size_t bytes_of_ends(std::uint32_t members) noexcept {
  return members * sizeof(std::uint64_t);
}

/// Whether blocks that end there hold each iteration once.
[[nodiscard]] bool partition(const std::uint64_t* ends, std::uint32_t members, std::uint64_t iterations) noexcept;

}  // namespace steelyard::openmp
