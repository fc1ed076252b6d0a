// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "schedules/chunks/reweighted.hpp"

namespace steelyard::schedules {

/// As `awf-c`, where the times are with what handing out a chunk takes (Cariño & Banicescu 2008).
struct awf_e_rule {
  static constexpr traits about{"awf-e", "as awf-c, by times with what handing out takes",
                                "least iterations per chunk (1)", true, false};
  static constexpr bool each_chunk = true;
  static constexpr bool with_fetch = true;
};

template <class Sync>
using awf_e = reweighted<Sync, awf_e_rule>;

}  // namespace steelyard::schedules
