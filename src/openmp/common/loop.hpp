// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "openmp/common/team.hpp"

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
};

/// By the loops file, else STEELYARD_SCHEDULE, else, for schedule(runtime), a name of ours in OMP_SCHEDULE unless the
/// program has set another schedule since. A loop the program may see as monotonic is taken by ascending schedules only.
[[nodiscard]] decision decide(const request& wanted, const frame& in) noexcept;

/// Enters a loop of ours on this thread.
void enter(frame& in, const request& wanted, const decision& how) noexcept;

/// Enters a loop that the program's runtime schedules; counts and times it when reporting.
void observe(frame& in, const request& wanted, const char* reason) noexcept;

/// Enters a loop of a team whose fork this library did not see: a loop of ours that this thread may be in further out
/// is hidden until `leave`, so that `next` and the end calls are not taken for its own.
void hide(frame& in) noexcept;

/// Whether `in` is the frame of the innermost region: false in a team whose fork this library did not see.
[[nodiscard]] inline bool seen(const frame& in, const runtime& native) noexcept { return native.level() == in.level; }

/// A contiguous run of iterations, 0-based.
struct range {
  std::uint64_t first;
  std::uint64_t count;
};

/// The next iterations for this member of a loop of ours; false: none, and the member has left. Whoever is handed the
/// final iteration gets nothing afterwards: both compilers take `lastprivate` and `linear` values from the last chunk a
/// thread received, and they do not say whether a loop has any. So schedules that are not ascending deal all iterations
/// but the last; the first member that finds nothing else claims it by one exchange and retires.
[[nodiscard]] bool hand_out_slowly(running& loop, range& out, std::uint32_t number) noexcept;

/// The same; what most calls meet stays short, because on a contended counter every instruction here is time in which
/// the others wait for its line.
[[nodiscard]] inline bool hand_out(running& loop, range& out, std::uint32_t number) noexcept {
  if (__builtin_expect(loop.schedule != nullptr && loop.pending.count == 0, 1)) {
    const schedules::step got = loop.schedule->next(loop.state, number);
    if (__builtin_expect(got.count != 0 && got.stride == 1 && !loop.loop.last_alone, 1)) {
      ++loop.chunks;
      out = {got.first, got.count};
      return true;
    }
    loop.pending = got;
  }
  return hand_out_slowly(loop, out, number);
}

/// Ends this member's part of the loop it is in.
void leave(frame& in) noexcept;

}  // namespace steelyard::openmp
