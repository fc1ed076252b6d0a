// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

namespace steelyard::runtime {

/// Goes to all, the nearest first: calls f(one) for those that are equally near in the order in which `each` goes through them,
/// until f returns true, and returns that. each(g) calls g(one) until it returns true; distance(one) may change meanwhile, so
/// that one is left out or met again. As many walks as there are distances; before the next one it ends, with false, when enough() is true.
template <class Each, class Distance, class F, class Enough>
bool nearest_first(Each each, Distance distance, F f, Enough enough) {
  constexpr auto nowhere = ~std::uint32_t{0};
  for (std::uint32_t now = 0, next = nowhere; now != nowhere; now = next, next = nowhere) {
    const bool done = each([&](auto& one) {
      const std::uint32_t its = distance(one);
      if (its > now) next = std::min(next, its);
      return its == now && f(one);
    });
    if (done) return true;
    if (enough()) break;
  }
  return false;
}

}  // namespace steelyard::runtime
