// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace steelyard::schedules {

/// The next number of a random sequence (SplitMix64: Steele, Lea & Flood 2014).
constexpr std::uint64_t draw(std::uint64_t& state) noexcept {
  auto z = state += 0x9e3779b97f4a7c15U;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31);
}

}  // namespace steelyard::schedules
