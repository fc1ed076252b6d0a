// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "openmp/shares/known_loops.hpp"

namespace steelyard::openmp {

/// A region that was timed.
struct when {
  bool cold;     ///< it was the first one, and short: only `jit`, which compares ways, learns from it
  bool follows;  ///< no other came between it and the one that these loops were timed in before
};
/// What the members of its team took for the loops of one trip count: learns from it, and cuts anew. True: that has to be seen once
/// more to be believed.
bool learn_from(const dealt& from, static_loops& of, when it) noexcept;

}  // namespace steelyard::openmp
