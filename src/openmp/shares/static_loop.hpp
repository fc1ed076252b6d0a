// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "openmp/program/settings.hpp"
#include "openmp/shares/region_shares.hpp"
#include "openmp/team/team.hpp"

namespace steelyard::openmp {

/// Why a static loop keeps its blocks where a reduction follows.
inline constexpr const char* grouping_would_change = "a reduction, whose grouping would change";

/// A region with that body, of the fork at that site, begins, on the thread that forks it.
void begin_shares(region& team, site& fork, const void* body) noexcept;

/// And has ended, behind its join.
void end_shares(region& team) noexcept;

/// Nothing is dealt or timed of the next regions of that body at that fork, `most` at most, and these need not be counted.
[[nodiscard]] std::uint32_t equal_regions(site& fork, const void* body, std::uint32_t most) noexcept;

/// What a member is to do with its block of a loop.
struct share {
  dealt* by = nullptr;         ///< of the loops of this trip count; nullptr: nothing is dealt or timed
  bool is_told = false;        ///< another block than its own, which is an equal one:
  dealt::block block{};        ///< this one
  const char* kept = nullptr;  ///< why it keeps its own; nullptr: that is the share
  bool only_here = false;      ///< other instances of the loop may have shares
};

/// It keeps its own.
[[nodiscard]] inline share own_block(const char* kept, bool only_here) noexcept {
  return {nullptr, false, {}, kept, only_here};
}

/// That of a member, by the record of its team.
[[nodiscard]] inline share share_of(dealt& by, std::uint32_t member, std::uint64_t iterations) noexcept {
  if (!by.is_unequal()) return {&by, false, {}, by.keeps.get(), false};
  return {&by, true, by.block_of(member, iterations), nullptr, false};
}

/// What all members read of a trip count where none has to deal, as they all meet the same loops in the same order. `keeps`: they
/// have equal blocks in this region, for a loop has come first that is not known to. nullptr, without that: they have to agree.
[[nodiscard]] inline dealt* find_standing(implicit_task& in, const site& at, std::uint64_t iterations,
                                          bool& keeps) noexcept {
  const std::uint64_t bit = known_loops::bit_of(iterations);
  if ((in.kept & bit) == 0) {
    dealt* const standing = in.team->shares->standing(iterations, in.members);
    if (standing == nullptr || (in.met & bit) != 0 || standing->first == &at) {
      in.met |= bit;
      return standing;
    }
    in.kept |= bit;
  }
  keeps = true;
  return nullptr;
}

inline constexpr const char* few_iterations = "no more iterations than members";

/// Where each member has an iteration at most, no other deal is faster. And programs may have their threads wait for each other in it.
[[nodiscard]] constexpr bool may_be_balanced(std::uint64_t iterations, std::uint32_t members) noexcept {
  return iterations > members;
}

[[nodiscard]] share look_for_share(implicit_task& in, site& at, std::uint64_t iterations) noexcept;

/// A member comes to a static loop. Every member of a team gets the same answer for loops with the same number of iterations, in
/// the whole region: OpenMP promises that such loops give each thread the same iterations.
[[nodiscard, gnu::always_inline]] inline share find_share(implicit_task& in, site& at,
                                                          std::uint64_t iterations) noexcept {
  const region* const team = in.team;
  const bool reads = team != nullptr && team->reads && in.members >= 2 && may_be_balanced(iterations, in.members);
  if (__builtin_expect(reads && !config.reporting && !uses_thread_locals(at), 1)) {
    bool keeps = false;
    dealt* const standing = find_standing(in, at, iterations, keeps);
    const bool may_be_another = config.only_alone && standing != nullptr && standing->first != &at;
    if (__builtin_expect(standing != nullptr && !may_be_another, 1)) return share_of(*standing, in.number, iterations);
  }
  return look_for_share(in, at, iterations);
}

/// The same for a loop that the program has handed out chunk by chunk: it relies on no partition. Under `jit` it may go on so.
struct own_share : share {
  chosen how{};
};
[[nodiscard]] own_share find_own_share(implicit_task& in, site& at, std::uint64_t iterations, bool chooses) noexcept;

/// Whether blocks of the team are timed, until the next barrier.
[[nodiscard]] inline bool is_timed(const region& team) noexcept { return team.timed && team.owed == 0; }

/// The member begins with its block, and ends it.
void begin_timed(implicit_task& in, dealt& by) noexcept;
inline void begin_block(implicit_task& in, const share& mine) noexcept {
  if (mine.by == nullptr) return;
  in.reduced = false;
  in.last_dealt = mine.by;
  if (mine.is_told) in.in_dealt = mine.by;
  if (__builtin_expect(is_timed(*in.team), 0)) begin_timed(in, *mine.by);
}
void end_timed(implicit_task& in, dealt& by) noexcept;
inline void end_block(implicit_task& in) noexcept {
  dealt* const by = in.in_dealt;
  if (by == nullptr) return;
  in.in_dealt = nullptr;
  if (__builtin_expect(is_timed(*in.team), 0)) end_timed(in, *by);
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

/// The member comes to a loop that its runtime deals itself, by equal blocks for all that is known: others of as many iterations have to agree.
void note_own_blocks(const implicit_task& in) noexcept;

/// The member is about to leave its region. Questions that nobody has explained are the program's.
void end_questions(const implicit_task& in) noexcept;

}  // namespace steelyard::openmp
