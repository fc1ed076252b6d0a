// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "openmp/shares/region_shares.hpp"
#include "openmp/team/team.hpp"

/// Shares that may change within a region (`nustatic:barriers`): a region that runs once, as that of a program which keeps its time
/// loop inside, learns from the loops between two barriers for those behind. Programs notice it that rely on one partition beyond a
/// barrier. shares.md says what is counted as a barrier, and how members agree.
namespace steelyard::openmp {

/// A member comes to a barrier of its team, before it waits there.
void come_to_barrier(frame& in) noexcept;

/// What a team has done since its last barrier with the loops of one trip count: learns from it, and deals anew. By one member, while
/// the others wait.
void deal_anew(dealt& of) noexcept;

}  // namespace steelyard::openmp
