// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

namespace steelyard::learn {

/// of(0) + … + of(Count - 1), four sums at once, so that none waits for the one before. O(Count).
template <std::uint32_t Count, class Of>
double sum_over(const Of& of) noexcept {
  static_assert(Count % 4 == 0);
  std::array<double, 4> sums{};
  for (std::uint32_t each = 0; each < Count; each += 4) {
    for (std::uint32_t lane = 0; lane < 4; ++lane) sums[lane] += static_cast<double>(of(each + lane));
  }
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

}  // namespace steelyard::learn
