// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "openmp/measure/best_schedule.hpp"
#include "openmp/team/team.hpp"

/// What iterations of a site's loops take, where a user has named a schedule that steals: it hands out as many at once as are worth it, and no more than a loop may wait for. Few instances are timed, so it costs
/// next to nothing. Under `automatic` its chooser knows.
namespace steelyard::openmp {

/// For a loop that is about to be opened by the user's schedule, of so many iterations, of which `granule` stay together. Now and then it is to be timed: the first, second, fourth, … instance,
/// and each 61st.
void plan_by_rate(const site& at, plan& by, std::uint64_t iterations, std::uint64_t granule) noexcept;

/// Counts a loop that was opened there as planned.
void count_for_rate(site& at, const plan& by) noexcept;

/// From an ended instance that was timed.
void learn_rate(const instance& ended) noexcept;

}  // namespace steelyard::openmp
