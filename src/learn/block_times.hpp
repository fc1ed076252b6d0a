// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>

#include "learn/density.hpp"

namespace steelyard::learn {

/// What the blocks of one instance of a loop took, in parts of the whole: one block for each member, in order.
struct block_times {
  static constexpr std::uint32_t most_members = density::most_blocks;
  /// Ends of blocks that are no farther apart are the same, rounded to whole iterations.
  static constexpr double same_end = 0.25 / density::bins;
  /// Parts that differ by no more may be the same, with some noise.
  static constexpr double noise = 0.03;

  std::array<double, most_members> ends;
  std::array<double, most_members> parts;
  std::uint32_t members;
  double imbalance = 0;  ///< longest block / mean block - 1
  double rate;           ///< ticks of all blocks by iteration

  /// The block of member m ended before iteration until[m] of n, and took so long.
  block_times(std::uint64_t n, std::uint32_t of, const std::uint64_t* until, const std::uint64_t* took) noexcept
      : members(of) {
    double all = 0;
    for (std::uint32_t m = 0; m < members; ++m) all += static_cast<double>(took[m]);
    rate = all / static_cast<double>(n);
    for (std::uint32_t m = 0; m < members; ++m) {
      ends[m] = static_cast<double>(until[m]) / static_cast<double>(n);
      parts[m] = all > 0 ? static_cast<double>(took[m]) / all : 1.0 / members;
      imbalance = std::max(imbalance, parts[m] * members - 1);
    }
  }

  /// `differences` are what was expected, and then how much more it was, in mean blocks. Returns the largest.
  double compare(double* differences) const noexcept {
    double most = 0;
    for (std::uint32_t m = 0; m < members; ++m) {
      differences[m] = (parts[m] - differences[m]) * members;
      most = std::max(most, std::abs(differences[m]));
    }
    return most;
  }

  /// Whether its blocks ended there.
  [[nodiscard]] bool has(const double* other_ends, std::uint32_t blocks) const noexcept {
    if (blocks != members) return false;
    double apart = 0;
    for (std::uint32_t m = 0; m < members; ++m) apart = std::max(apart, std::abs(other_ends[m] - ends[m]));
    return apart <= same_end;
  }

  /// Whether so much may have been before that position: no iteration costs less than nothing.
  [[nodiscard]] bool allows(double at, double before) const noexcept {
    double mine = 0;
    for (std::uint32_t m = 0; m + 1 < members; ++m) {
      mine += parts[m];
      const double too_much = ends[m] <= at ? mine - before : before - mine;
      if (too_much > noise && std::abs(ends[m] - at) > same_end) return false;
    }
    return true;
  }

  /// What equal blocks had lost, were `costs` right.
  [[nodiscard]] double lost_by_equal(const density& costs) const noexcept {
    std::array<double, most_members> equal_ends;
    std::array<double, most_members> expected;
    for (std::uint32_t m = 0; m < members; ++m) equal_ends[m] = (m + 1.0) / members;
    costs.parts(equal_ends.data(), members, expected.data());
    return *std::max_element(expected.begin(), expected.begin() + members) * members - 1;
  }
};

}  // namespace steelyard::learn
