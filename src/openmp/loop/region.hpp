// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "openmp/team/team.hpp"

/// Regions and the loop instances in them, from fork to join, and whose time it was for the report.
namespace steelyard::openmp {

/// `body` is the outlined function of the region.
void open_region(region& team, site& at, const void* body) noexcept;

/// After the join: gives back the region's instances and counts it.
void close_region(region& team) noexcept;

/// Puts an instance back into the slab and its figures into its site. Instances of a region come in their order [C4].
void give_back(region& team, instance* ended) noexcept;

/// Counts time of a loop that a team of one ran.
void count_alone(const implicit_task& in, site& at, std::uint64_t took) noexcept;

}  // namespace steelyard::openmp
