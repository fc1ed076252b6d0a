// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "schedules/chunks/fac.hpp"

namespace steelyard::schedules {

/// Factoring as LB4OMP improves it (mFAC, or FACa): the same chunks, of which each member works out the batches by itself. That is how
/// `fac` does it here, too, so none of them has a lock; the name is for those who know it.
class mfac_rule : public fac_rule {
 public:
  static constexpr traits about{"mfac", "the same as fac", "least iterations per chunk (1)", true, false};
  using fac_rule::fac_rule;
};

template <class Sync>
using mfac = measured<in_batches<Sync, mfac_rule>>;

}  // namespace steelyard::schedules
