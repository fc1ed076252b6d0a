// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "openmp/team/team.hpp"

/// What chunks take, for schedules that go by that (schedules/chunks/chunks.md): within the loop, or for later instances of it.
namespace steelyard::openmp {

/// A schedule with the clock read before and behind each of its chunks. It is opened by `open_timed`, so it is no row of the registry.
extern const schedules::operations timing_schedule;

/// Whether the chunks of the loop that is about to be opened there are to be timed.
[[nodiscard]] bool is_to_be_timed(const schedules::operations& schedule, site& at) noexcept;

/// Memory for the schedule's state, timed or not.
[[nodiscard]] std::size_t bytes_of(const schedules::operations& schedule, const schedules::shape& loop,
                                   bool timed) noexcept;

/// Opens it there with what is known of the loop, timed or not. Returns the row by which it runs.
const schedules::operations* open_with_times(void* memory, const schedules::operations& schedule,
                                             schedules::shape& loop, site& at, bool timed) noexcept;

/// Counts a loop that was opened there.
void count_for_times(site& at) noexcept;

/// From an ended instance of `timing_schedule`.
void learn_times(instance& ended) noexcept;

}  // namespace steelyard::openmp
