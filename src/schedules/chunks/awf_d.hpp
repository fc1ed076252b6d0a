// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "schedules/chunks/reweighted.hpp"

namespace steelyard::schedules {

/// As `awf-b`, where the times are with what handing out a chunk takes (Cariño & Banicescu 2008).
struct awf_d_rule {
  static constexpr traits about{"awf-d", "as awf-b, by times with what handing out takes",
                                "least iterations per chunk (1)", true, false};
  static constexpr bool each_chunk = false;
  static constexpr bool with_fetch = true;
};

template <class Sync>
using awf_d = reweighted<Sync, awf_d_rule>;

}  // namespace steelyard::schedules
