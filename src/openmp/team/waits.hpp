// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "openmp/host/clock.hpp"
#include "openmp/program/settings.hpp"
#include "openmp/team/team.hpp"
#include "support/assert.hpp"

namespace steelyard::openmp {

/// The implicit task of whose region the members wait for each other in a call of this runtime; nullptr: none we look at, or we
/// are not reporting, or the call comes from within another that waits.
[[nodiscard]] inline implicit_task* waits(const runtime& native) noexcept {
  implicit_task* const in = self.top;
  if (!config.reporting || in == nullptr || in->team == nullptr || in->waiting) return nullptr;
  return in->native->handle == native.handle && native.level() == in->level ? in : nullptr;
}

/// The member's stretch ended at `when`. See stretches.md.
inline void end_stretch(implicit_task& in, std::uint64_t when) noexcept {
  STEELYARD_ASSERT(in.team != nullptr && !in.waiting,
                   "stretches.md: a stretch is of a region, and ends where a wait begins");
  const std::uint64_t passed = when - in.stretch_began;
  in.team->figures().busy.end(in.stretch++, passed > in.paused ? passed - in.paused : 0, in.timed, in.members);
  in.timed = false;
}

/// The next one begins now.
inline void begin_stretch(implicit_task& in) noexcept {
  in.stretch_began = now();
  in.paused = 0;
}

/// Calls the runtime's function, which holds a barrier of the team.
template <class Call>
auto at_barrier(const runtime& native, Call call) {
  struct wait {
    explicit wait(implicit_task* waiting) noexcept : in(waiting) {
      if (in == nullptr) return;
      end_stretch(*in, now());
      in->waiting = true;
    }
    ~wait() {
      if (in == nullptr) return;
      in->waiting = false;
      begin_stretch(*in);
    }
    implicit_task* in;
  };
  const wait here(waits(native));
  return call();
}

}  // namespace steelyard::openmp
