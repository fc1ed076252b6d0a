// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "schedules/chunks/af.hpp"

namespace steelyard::schedules {

/// Adaptive factoring as LB4OMP modifies it (mAF): as `af`, where the times are with what it takes to be handed a chunk.
struct maf_rule {
  static constexpr traits about{"maf", "as af, by times with what handing out takes", "least iterations per chunk (1)",
                                true, false};
  static constexpr bool with_fetch = true;
};

template <class Sync>
using maf = adaptive_factoring<Sync, maf_rule>;

}  // namespace steelyard::schedules
