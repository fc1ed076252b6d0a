// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "schedules/chunks/weighted.hpp"

namespace steelyard::schedules {

/// Adaptive weighted factoring (Banicescu & Velusamy 2002), for loops that run once in each time step: as `wf2`, with the weights from
/// all steps before, π_i = Σ k t_ik / Σ k n_ik. In step k member i took t_ik for n_ik iterations; w_i is 1/π_i over the mean of all.
struct awf_rule {
  static constexpr traits about{"awf",
                                "a shared counter, batches that halve the rest, chunks by how fast members were so far",
                                "least iterations per chunk (1)", true, false};
  static constexpr bool always = true;
  static void tell(loop_record& into, member m, const run_by_member& took) noexcept {
    took.tell(into, m, 1, static_cast<double>(into.instances + 1));
  }
};

template <class Sync>
using awf = weighted<Sync, awf_rule>;

}  // namespace steelyard::schedules
