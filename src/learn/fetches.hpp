// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "sync/average.hpp"

namespace steelyard::learn {

/// What it costs a member to fetch a chunk, by mechanism and number of members, in ticks: as the loops of this process have
/// measured it. So it holds what a micro-benchmark leaves out: the lines of the loop's data, and members that come late.
class fetches {
 public:
  enum class mechanism : std::uint8_t { fixed, guided };

  /// Members' fetches took so long together, a reading of the clock each included.
  void took(mechanism by, std::uint32_t members, std::uint64_t ticks, std::uint64_t count) noexcept {
    if (count != 0) at(by, members).add(ticks / count);
  }

  /// Of one. Before any was measured: members that all want the same line wait for each other.
  [[nodiscard]] std::uint64_t of(mechanism by, std::uint32_t members) const noexcept {
    const auto known = at(by, members).get();
    return known != 0 ? known : first_guess * members;
  }

  static constexpr std::uint64_t first_guess = 50;

 private:
  static constexpr std::size_t sizes = 32;  ///< binary logarithms of numbers of members

  static std::size_t size_of(std::uint32_t members) noexcept { return std::bit_width(members) % sizes; }
  [[nodiscard]] sync::average& at(mechanism by, std::uint32_t members) noexcept {
    return known_[static_cast<std::size_t>(by)][size_of(members)];
  }
  [[nodiscard]] const sync::average& at(mechanism by, std::uint32_t members) const noexcept {
    return known_[static_cast<std::size_t>(by)][size_of(members)];
  }

  std::array<std::array<sync::average, sizes>, 2> known_{};
};

}  // namespace steelyard::learn
