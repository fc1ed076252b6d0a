// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "openmp/shares/known_loops.hpp"

namespace steelyard::openmp {

/// What the members of a team took, in a region that was timed, for the loops of one trip count: learns from it, and cuts anew.
/// `cold`: it was the first region, and short: how costs are spread is not learnt from it, but under `jit`, which compares ways.
/// True: that has to be seen once more to be believed.
bool learn_from(const dealt& from, static_loops& of, bool cold) noexcept;

}  // namespace steelyard::openmp
