// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "openmp/team/team.hpp"
#include "schedules/choice.hpp"
#include "support/assert.hpp"

namespace steelyard::openmp {

/// What the program says of a loop it starts.
struct request {
  site* at;
  clause stated;
  std::uint64_t stated_chunk;
  bool monotonic;  ///< the program may rely on increasing iterations per member
  bounds loop;
};

/// What is decided for it.
struct decision {
  const schedules::operations* schedule = nullptr;  ///< nullptr: the program's runtime runs the loop
  std::uint64_t chunk = 0;
  const char* reason = nullptr;  ///< why it was passed; nullptr: nothing was asked for it
  std::uint64_t granule = 0;     ///< the chunk that the program has written, which no piece may split; 0: none
  const schedules::given_shares* weights = nullptr;  ///< of the members; nullptr: none are given
  schedules::candidates among{};                     ///< of `automatic`

  /// What the user has chosen.
  static decision of(const schedules::choice& chosen) noexcept {
    const auto* const weights = chosen.shares.members() != 0 ? &chosen.shares : nullptr;
    return {chosen.schedule, chosen.chunk, nullptr, 0, weights, chosen.among};
  }
};

/// By the loops file, else STEELYARD_SCHEDULE, else, for schedule(runtime), a name of ours in OMP_SCHEDULE unless the
/// program has set another schedule since. A loop the program may see as monotonic is taken by ascending schedules only.
[[nodiscard]] decision decide(const request& wanted, const implicit_task& in) noexcept;

/// Enters a loop of ours on this thread.
void enter(implicit_task& in, const request& wanted, const decision& how) noexcept;

/// Enters a loop that the program's runtime schedules; counts and times it when reporting.
void observe(implicit_task& in, const request& wanted, const char* reason) noexcept;

/// Notes a loop that is neither taken nor timed, and why.
void note_passed(implicit_task& in, const request& wanted, const char* reason) noexcept;

/// Enters a static loop, for the report, which times it: taken by `nustatic`, or why it keeps its equal blocks. `only_here`: this
/// says nothing of other instances, and is noted where nothing else is.
void enter_static(implicit_task& in, const request& wanted, const char* kept, bool only_here) noexcept;

/// Passes a loop of a team whose fork this library did not see. What this thread is in further out is hidden from `next`
/// and the end calls, which are not its own, until the thread is back at its level: that needs no count of such loops,
/// which may be in one another, and of which not each one ends (`cancel parallel`). Where the loop `may_be_ours`, and would have been,
/// regions like the last that passed here are seen from now on.
void hide(implicit_task& in, const request& wanted, bool may_be_ours) noexcept;

/// Undoes `hide`.
void reveal(implicit_task& in) noexcept;

/// Whether `in` is of the innermost region: false in a team whose fork this library did not see.
[[nodiscard]] inline bool seen(implicit_task& in, const runtime& native) noexcept {
  if (native.level() != in.level) return false;
  if (__builtin_expect(in.hiding, 0)) reveal(in);
  return true;
}

/// The loop of ours that a call of this ABI belongs to, also one that was hidden; nullptr: the call is the runtime's.
/// libomp's GOMP_* call its __kmpc_dispatch_next_*; what it asks itself is not for a loop that began as a GOMP_*.
[[nodiscard]] inline running* taken_by(const abi& api, const runtime& native) noexcept {
  implicit_task* const in = self.top;
  if (in == nullptr || (in->hiding && !seen(*in, native))) return nullptr;
  return self.taken != nullptr && self.taken->at->api == &api ? self.taken : nullptr;
}

/// A contiguous run of iterations, 0-based.
struct range {
  std::uint64_t first;
  std::uint64_t count;
};

/// The next iterations for this member of a loop of ours; false: none, and the member has left. Whoever is handed the
/// final iteration gets nothing afterwards: both compilers take `lastprivate` and `linear` values from the last chunk a
/// thread received, and they do not say whether a loop has any. So schedules that are not ascending deal all granules but
/// the last, which is the final iteration or, where the program has written a chunk, the final chunk; the first member that
/// finds nothing else claims it by one exchange and retires.
[[nodiscard]] bool hand_out_slowly(running& loop, range& out, std::uint32_t number) noexcept;

/// The same; what most calls meet stays short, because on a contended counter every instruction here is time in which
/// the others wait for its line.
[[nodiscard]] inline bool hand_out(running& loop, range& out, std::uint32_t number) noexcept {
  if (__builtin_expect(loop.schedule != nullptr && loop.pending.count == 0, 1)) {
    const schedules::step got = loop.schedule->next(loop.state, number);
    STEELYARD_ASSERT(got.what == schedules::step::kind::closed,
                     "contract.hpp: who runs no open ranges gets closed steps");
    if (__builtin_expect(got.count != 0 && got.stride == 1 && loop.granule == 0, 1)) {
      STEELYARD_ASSERT(got.first < loop.loop.iterations && got.count <= loop.loop.iterations - got.first,
                       "contract.hpp: a step lies in the loop");
      ++loop.chunks;
      out = {got.first, got.count};
      return true;
    }
    loop.pending = got;
  }
  return hand_out_slowly(loop, out, number);
}

/// Ends this member's part of the loop it is in.
void leave(implicit_task& in) noexcept;

/// Counts a chunk that the runtime handed out to a call of this ABI, or its refusal, in a loop that is observed.
inline bool observed_next(const abi& api, bool more) noexcept {
  implicit_task* const in = self.top;
  if (in == nullptr || in->hiding || in->loop.from != source::observed || in->loop.at->api != &api) return more;
  if (more) {
    ++in->loop.chunks;
  } else {
    leave(*in);
  }
  return more;
}

}  // namespace steelyard::openmp
