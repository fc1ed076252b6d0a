// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "openmp/shares/dealt.hpp"

namespace steelyard::openmp {

/// Where blocks end.
using ends = std::vector<std::uint64_t>;

/// What the first part of a loop costs of it, both from 0 to 1.
using cost = std::function<double(double)>;
inline const cost even = [](double x) { return x; };
inline const cost falling = [](double x) { return 1 - (1 - x) * (1 - x); };
inline const cost rising = [](double x) { return x * x; };

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
