// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "schedules/chunks/reweighted.hpp"

namespace steelyard::schedules {

/// Adaptive weighted factoring by batches (Cariño & Banicescu 2008): weights follow the times of chunks, and are looked at anew
/// with each batch.
struct awf_b_rule {
  static constexpr traits about{"awf-b", "awf within a loop, weights anew with each batch",
                                "least iterations per chunk (1)", true, false};
  static constexpr bool each_chunk = false;
  static constexpr bool with_fetch = false;
};

template <class Sync>
using awf_b = reweighted<Sync, awf_b_rule>;

}  // namespace steelyard::schedules
