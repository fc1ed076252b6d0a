// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "openmp/team/team.hpp"

namespace steelyard::openmp {

/// The measuring instrument of STEELYARD_LIMIT=1: runs a loop with all members, balanced as `steal` does, in chunks that
/// are long enough for the clock reading between them to cost less than 1 % (10 to 20 us, where iterations allow), and
/// keeps the longest. From the chunks follow bounds for the loop's limit max(W/P, t_1, t_P + t_(P+1)), with W the work
/// and t_i the i-th largest iteration: an iteration is at least its chunk's mean and at most its whole. Ranges whose
/// chunk was longer than W/(20 P), and than 20 us, are cut finer in the next instance with as many iterations, so the
/// bounds close.
/// Where a written chunk is kept, iterations are such chunks in all of this, in the limit too.
/// It reads the clock and the site's history, so it is part of this front end and not a schedule of the registry.
extern const schedules::operations measuring_schedule;
/// The same for loops whose members may rely on increasing iterations: from a shared counter.
extern const schedules::operations ascending_measuring_schedule;

/// Tells an opened measuring instance which ranges to cut finer.
void plan_limit(instance& opened) noexcept;

/// Adds an ended instance's work and limit to its site, and plans the next.
void account_limit(instance& ended) noexcept;

/// The same for a loop in a team of one, which is its own limit.
void account_alone(site& at, std::uint64_t took) noexcept;

}  // namespace steelyard::openmp
