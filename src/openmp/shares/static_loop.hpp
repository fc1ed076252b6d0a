// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "openmp/shares/region_shares.hpp"
#include "openmp/team/team.hpp"

namespace steelyard::openmp {

/// A region with that body, of the fork at that site, begins, on the thread that forks it.
void begin_shares(region& team, site& fork, const void* body) noexcept;

/// And has ended, behind its join.
void end_shares(region& team) noexcept;

/// What a member is to do with its block of a loop.
struct share {
  dealt* by = nullptr;                  ///< of the loops of this trip count; nullptr: nothing is dealt or timed
  const std::uint64_t* ends = nullptr;  ///< of the members' blocks; nullptr: its own, which is an equal one
  const char* kept = nullptr;           ///< why it keeps its own; nullptr: that is the share
  bool only_here = false;               ///< other instances of the loop may have shares
  chosen how{};                         ///< of a loop that may be handed out
};

/// A member comes to a static loop. Every member of a team gets the same answer for loops with the same number of iterations, in
/// the whole region: OpenMP promises that such loops give each thread the same iterations.
[[nodiscard]] share find_share(implicit_task& in, site& at, std::uint64_t iterations) noexcept;

/// The same for a loop that the program has handed out chunk by chunk: it relies on no partition. Under `jit` it may go on so.
[[nodiscard]] share find_own_share(implicit_task& in, site& at, std::uint64_t iterations, bool chooses) noexcept;

/// Whether blocks of the team are timed, until the next barrier.
[[nodiscard]] inline bool is_timed(const region& team) noexcept { return team.timed && team.owed == 0; }

/// The member begins with its block, and ends it.
void begin_block(implicit_task& in, dealt* by) noexcept;
void end_block_slowly(implicit_task& in) noexcept;
inline void end_block(implicit_task& in) noexcept {
  if (__builtin_expect(in.in_dealt != nullptr, 0)) end_block_slowly(in);
}

/// The member has fetched its first chunk of a loop that it has just begun, and that is timed.
void note_fetch(const implicit_task& in) noexcept;

/// The member takes part in a reduction, which groups what its blocks have found: that of the last loop or, where it `may` be and
/// nothing follows, that of the whole region.
void note_reduction(implicit_task& in, bool may_be_of_region) noexcept;

/// The member waits for the others. What is reduced later is of no loop before.
void note_barrier(implicit_task& in) noexcept;

/// The member's body has ended.
void end_body(implicit_task& in) noexcept;

/// The program has asked which thread this is, or how many there are: in this region, or in those around it too.
void note_query(const void* caller) noexcept;
void note_query_of_all(const void* caller) noexcept;

/// The member is about to leave its region. Questions that nobody has explained are the program's.
void end_questions(const implicit_task& in) noexcept;

}  // namespace steelyard::openmp
