// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "schedules/chunks/reweighted.hpp"

namespace steelyard::schedules {

/// Adaptive weighted factoring by chunks (Cariño & Banicescu 2008): weights follow the times of chunks, and are looked at anew with
/// each.
struct awf_c_rule {
  static constexpr traits about{"awf-c", "awf within a loop, weights anew with each chunk",
                                "least iterations per chunk (1)", true, false};
  static constexpr bool each_chunk = true;
  static constexpr bool with_fetch = false;
};

template <class Sync>
using awf_c = reweighted<Sync, awf_c_rule>;

}  // namespace steelyard::schedules
