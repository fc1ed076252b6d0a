// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace graph {

// A counter-based generator: the value depends on the counter only, so threads can draw in any
// order and the graph is the same for every thread count. (The finaliser of SplitMix64.)
inline std::uint64_t random_bits(std::uint64_t counter) {
  std::uint64_t x = (counter + 1) * 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

}  // namespace graph
