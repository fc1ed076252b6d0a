// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "schedules/contract.hpp"

namespace steelyard::schedules {

/// An iteration, or what is known of costs together, that is less than this part of a member's list need not come first.
inline constexpr double parts_of_list = 64;

/// Where the lists of a loop begin whose costs are known by a profile: each at its most expensive bin, where that is much of a share
/// (docs/decisions/011-expensive-first.md), in the schedules that deal as wsrw does. Only for front ends that want it, and lists of a few
/// blocks. `starts` has a number for each member. False: all begin at their beginning, and `starts` is not to be used. O(bins), and O(1) where
/// no bin is that expensive.
[[nodiscard]] bool begin_with_expensive(const shape& loop, std::uint32_t* starts) noexcept;

}  // namespace steelyard::schedules
