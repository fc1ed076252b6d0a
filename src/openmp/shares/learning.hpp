// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "openmp/shares/known_loops.hpp"

namespace steelyard::openmp {

/// What the members of a team took, in a region that was timed, for the loops of one trip count: learns from it, and cuts anew.
void learn_from(const dealt& from, static_loops& of) noexcept;

}  // namespace steelyard::openmp
