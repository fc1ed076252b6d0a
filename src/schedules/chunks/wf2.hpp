// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "schedules/chunks/weighted.hpp"

namespace steelyard::schedules {

/// Weighted factoring (Flynn Hummel, Schmidt, Uma & Wein 1996, with x = 2): ⌈w_i ⌈R / 2P⌉⌉, R what is left at the batch's start. The
/// weights w_i are given (`wf2:1.5,1`), or how fast the members were in earlier instances, of which each counts twice as much as the
/// one before.
struct wf2_rule {
  static constexpr traits about{"wf2", "a shared counter, batches that halve the rest, chunks by the members' weights",
                                "least iterations per chunk (1)", true, false};
  static constexpr bool always = false;
  static void tell(loop_record& into, member m, const run_by_member& took) noexcept { took.tell(into, m, 0.5, 1); }
};

template <class Sync>
using wf2 = weighted<Sync, wf2_rule>;

}  // namespace steelyard::schedules
