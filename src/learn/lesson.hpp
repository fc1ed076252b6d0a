// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "learn/density.hpp"
#include "schedules/contract.hpp"

namespace steelyard::learn {

/// A way to run a loop: a schedule with a chunk, 0 its own default, on so many members.
struct way_to_run {
  const schedules::operations* schedule = nullptr;
  std::uint64_t chunk = 0;
  std::uint32_t members = 1;
  bool by_shares = false;  ///< blocks of equal cost: `cut`

  /// Whether a schedule that learns no shares by itself begins with them.
  [[nodiscard]] bool begins_with_shares() const noexcept {
    return by_shares && schedule->about.learns == schedules::learning::nothing;
  }

  [[nodiscard]] friend bool operator==(const way_to_run&, const way_to_run&) = default;
};

/// What was learnt of loops that have about one trip count, for another process.
struct lesson {
  std::uint64_t iterations = 0;
  std::uint32_t members = 0;
  way_to_run how;           ///< that was chosen, and …
  std::uint64_t usual = 0;  ///< … what it takes, in ticks
  // As far as they are known. 0: only whether it is stolen or runs in equal blocks was compared.
  std::uint64_t work = 0;
  std::uint64_t deviation = 0;
  std::uint64_t hand_over = 0;
  std::array<std::uint16_t, density::bins> costs{};  ///< of each bin, in any unit, below 4,096

  /// Whether loops are about like these: up to a quarter more iterations, or fewer.
  [[nodiscard]] bool is_for(std::uint64_t n, std::uint32_t by) const noexcept;
};

}  // namespace steelyard::learn
