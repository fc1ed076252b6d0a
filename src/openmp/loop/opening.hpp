// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "openmp/loop/loop.hpp"

/// Loop instances: the first member of a team that comes to a loop opens one, and the others find it (sync/chain.md).
namespace steelyard::openmp {

/// The instance of the loop this member starts now, found or opened. Members cannot disagree about who schedules a loop,
/// so one that gets no memory can only wait until another opens it or some is given back.
[[nodiscard]] instance* find_or_open(implicit_task& in, const request& wanted, const decision& how) noexcept;

/// The region has had one more loop; its report tells regions without one that can be taken.
void count_opened(implicit_task& in, const site& at) noexcept;

}  // namespace steelyard::openmp
