// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace steelyard::topology {

/// Where a processor stands among the others. What the system does not tell is 0, so all are as near as can be.
struct place {
  std::uint16_t cache = 0;    ///< the first of those that share its last cache
  std::uint16_t package = 0;  ///< its own

  friend constexpr bool operator==(place, place) noexcept = default;
};

/// 0: they share a cache; 1: a package; 2: neither.
[[nodiscard]] constexpr std::uint32_t distance(place a, place b) noexcept {
  if (a == b) return 0;
  return a.package == b.package ? 1 : 2;
}

/// Reads `root`/sys/devices/system/cpu/cpu<processor>. Allocates nothing; leaves errno as it was.
[[nodiscard]] place place_of(unsigned processor, const char* root = "") noexcept;

/// Of the processor that the calling thread runs on just now, which may be another one soon. Some 5 ns; but the first time on
/// each processor of the machine some 50 us, for the files that place_of reads.
[[nodiscard]] place place_here() noexcept;

}  // namespace steelyard::topology
