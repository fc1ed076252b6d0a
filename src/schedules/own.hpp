// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include <steelyard/own_schedule.h>

#include "schedules/contract.hpp"

/// Schedules that users have added: rows like those of the table, whose functions are in code of theirs (own.md).
namespace steelyard::schedules {

inline constexpr std::size_t most_own = 16;

/// What makes a table one that cannot be added, in words that continue "This schedule …"; nullptr: nothing. A look at the table
/// alone: whether it keeps the contract, `steelyard check-schedule` tells.
[[nodiscard]] const char* fault_of(const steelyard_schedule* table) noexcept;

/// Adds a row, unless there is one of that table already; then nullptr. Else what is wrong with it. Threads that add at the same time wait for each other.
[[nodiscard]] const char* add_own(const steelyard_schedule* table) noexcept;

/// Those that have been added, in that order.
[[nodiscard]] std::span<const operations> own() noexcept;

}  // namespace steelyard::schedules
