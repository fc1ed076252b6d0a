// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "schedules/contract.hpp"

namespace steelyard::learn {

/// A member about to call a schedule that is driven in virtual time, at its clock; `turn` counts calls, so among equals the one that has
/// waited longest is first.
struct caller {
  double clock;
  std::uint64_t turn;
  schedules::member who;
  friend bool operator>(const caller& a, const caller& b) noexcept {
    return a.clock != b.clock ? a.clock > b.clock : a.turn > b.turn;
  }
};

}  // namespace steelyard::learn
