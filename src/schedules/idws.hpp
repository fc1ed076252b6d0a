// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "schedules/sharing.hpp"

namespace steelyard::schedules {

/// Interrupt-driven work sharing (Rokos, Gorman & Kelly, section 3). Deal: equal blocks. Take: an open range. Ask: the
/// member with most iterations left whom nobody else asks. Split: half of what the victim has not claimed, rounded down.
/// Deliver: the front end's choice (the victim in a signal handler, or when it looks; the thief under membarrier).
///
/// A thief that is refused, or finds only victims that others ask, tries again while anybody has two iterations left;
/// with `experiment_switches::one_try` it leaves the loop, as in the paper.
struct idws_rules {
  static constexpr traits about{"idws", "equal blocks; an idle member has the fullest one give half of its rest",
                                "least iterations per chunk (1)", false, false};
  using ask = ask::fullest<2>;
  static constexpr bool queues = false;
  static constexpr bool lends = false;
  static constexpr deal::block<std::uint64_t> share(const shape& loop, member m) noexcept {
    return {loop.iterations, loop.members, m};
  }
};

template <class Sync>
using idws = sharing<Sync, idws_rules>;

}  // namespace steelyard::schedules
