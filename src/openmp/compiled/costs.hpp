// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "openmp/compiled/table.hpp"
#include "openmp/loop/loop.hpp"
#include "openmp/program/settings.hpp"

/// Costs of rewritten loops: each member states those of its part before the loop, where the schedule asks (costs.md).
namespace steelyard::openmp::compiled {

/// The record of a loop, which stands for its call (loop.cpp).
[[nodiscard]] site& record_of(const loop& source) noexcept;

/// Whether its terms stay grouped as static groups them, so that each member keeps its block.
[[nodiscard]] inline bool keeps_grouping(const loop& source) noexcept {
  return (source.flags & reduces) != 0 && !config.free_reductions;
}

/// What its flags say of its costs.
void note_flags(site& at, const loop& source) noexcept;

/// Whether costs are of use, and stating them pays. All members get the same answer.
int asks_now(const loop* source, std::uint64_t iterations) noexcept;
/// The same; then the part of this member, which may be empty.
int begin_costs(costs* to, const loop* source, std::uint64_t iterations, std::uint64_t key) noexcept;
/// Its sums belong to the iterations before `at`.
void next_costs(costs* of) noexcept;
/// Waits for the other members.
void end_costs(costs* of) noexcept;

/// After the join.
void forget_statements(region& team) noexcept;

}  // namespace steelyard::openmp::compiled
