// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "openmp/shares/dealt.hpp"

namespace steelyard::openmp {

/// A member has been in one loop, and its block took so long.
inline void note_block(dealt& by, std::uint32_t member, double ticks) {
  by.of(member).ticks.add(static_cast<std::uint64_t>(ticks));
  by.of(member).loops.add(1);
}

/// Each has, and that of member m took ticks_of(m).
template <class Ticks>
void note_blocks(dealt& by, Ticks ticks_of) {
  for (std::uint32_t m = 0; m < by.members; ++m) note_block(by, m, static_cast<double>(ticks_of(m)));
}

}  // namespace steelyard::openmp
