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

/// Where a block ends may be told as a part of the loop: so many parts are the whole. So it holds for every trip count.
inline constexpr unsigned whole_log = 52;
inline constexpr std::uint64_t whole = std::uint64_t{1} << whole_log;

/// That place in a loop of so many iterations, to the nearest one.
[[nodiscard]] constexpr std::uint64_t place_of(std::uint64_t part, std::uint64_t iterations) noexcept {
  return static_cast<std::uint64_t>((static_cast<unsigned __int128>(part) * iterations + whole / 2) >> whole_log);
}

/// Those of the ends of all members' blocks.
void cut_by(const std::uint64_t* parts, std::uint32_t members, std::uint64_t iterations, std::uint64_t* ends) noexcept;

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
  const std::uint64_t* parts =
      nullptr;  ///< the ends where the record stands for all regions (known_loops.hpp), as parts of a loop
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

  [[nodiscard]] bool is_unequal() const noexcept { return ends != nullptr || parts != nullptr; }
  struct block {
    std::uint64_t first;
    std::uint64_t end;
  };
  /// That of a member, of so many iterations, where they are unequal.
  [[nodiscard]] block block_of(std::uint32_t member, std::uint64_t of_iterations) const noexcept {
    if (parts == nullptr) return {member != 0 ? ends[member - 1] : 0, ends[member]};
    return {member != 0 ? place_of(parts[member - 1], of_iterations) : 0, place_of(parts[member], of_iterations)};
  }

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
