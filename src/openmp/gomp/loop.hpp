// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "openmp/gomp/names.hpp"
#include "openmp/loop/loop.hpp"
#include "openmp/program/settings.hpp"

namespace steelyard::openmp::gomp {

/// `for (i = start; i < end; i += increment)`, or `i > end` going down, of a signed long as GCC states it.
[[nodiscard]] inline bounds signed_bounds(long start, long end, long increment) noexcept {
  bounds loop{static_cast<std::uint64_t>(start), static_cast<std::uint64_t>(increment),
              static_cast<std::uint64_t>(end)};
  // Subtract unsigned: an int loop may span more than LONG_MAX would allow for long.
  if (increment > 0 && start < end) {
    loop.iterations = (loop.end - loop.start - 1) / loop.increment + 1;
  } else if (increment < 0 && start > end) {
    loop.iterations = (loop.start - loop.end - 1) / (0 - loop.increment) + 1;
  }
  return loop;
}

/// The same of an unsigned long long; `increment` going down is negative modulo 2^64. The compiled loop steps once past
/// its last index before it compares with the end it was given: where that step wraps around 2^64, only the wrapped
/// value itself makes it stop, and that is no end for the iterations before (libgomp hands out the end as stated, and
/// such loops never end).
[[nodiscard]] inline bounds unsigned_bounds(bool up, std::uint64_t start, std::uint64_t end,
                                            std::uint64_t increment) noexcept {
  bounds loop{start, increment, end};
  if (up ? start >= end : start <= end) return loop;
  loop.iterations = up ? (end - start - 1) / increment + 1 : (start - end - 1) / (0 - increment) + 1;
  const std::uint64_t past = start + loop.iterations * increment;
  if (up ? past < end : past > end) {
    loop.end = past;
    loop.last_alone = true;
  }
  return loop;
}

[[nodiscard]] constexpr clause stated(way w) noexcept {
  switch (w) {
    case dynamic:
    case nonmonotonic_dynamic:
      return clause::dynamic;
    case guided:
    case nonmonotonic_guided:
      return clause::guided;
    default:
      return clause::runtime;
  }
}

/// A chunk as a signed loop states it; one that OpenMP does not allow is none.
[[nodiscard]] constexpr std::uint64_t written_chunk(long chunk) noexcept {
  return chunk > 0 ? static_cast<std::uint64_t>(chunk) : 0;
}

/// Plain names are called for `monotonic:` clauses and `lastprivate(conditional:)` (GCC <= 8: for every loop).
[[nodiscard]] inline bool monotonic(way w) noexcept {
  return (w == dynamic || w == guided || w == runtime_) && !config.old_names;
}

/// The next chunk as libgomp states it: half-open, the last one ending at the given end.
template <class T>
[[nodiscard, gnu::noinline]] bool next_chunk(running& loop, T* first, T* end) noexcept {
  range got;
  if (!hand_out(loop, got, self.top->number)) return false;
  const bounds& of = loop.loop;
  const std::uint64_t past = got.first + got.count;
  *first = static_cast<T>(of.start + got.first * of.increment);
  *end = static_cast<T>(past == of.iterations ? of.end : of.start + past * of.increment);
  return true;
}

/// Starts a loop on this thread. True: it is ours. False: call the runtime's own start.
[[nodiscard]] bool start(site& at, way w, std::uint64_t chunk, const bounds& loop) noexcept;

}  // namespace steelyard::openmp::gomp
