// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "schedules/sharing.hpp"

namespace steelyard::schedules {

/// The adaptive loop of Kaapi (Traoré, Roch, Gautier; Besseron & Laferrière). Deal: all to one owner. Take: an open range,
/// one read for each step. Ask: a random member. Split: 1/(k+1) of the rest to each of the k that ask at once. Deliver: the
/// victim, when it looks. Finish: a member that has run out preempts those that it has given to: it takes back what is
/// left of it, and goes on.
struct adaptive_rules {
  static constexpr traits about{"adaptive",
                                "all to one; it shares with all that ask at once, and takes back in the end",
                                "least iterations per chunk (1)", false, false};
  using ask = ask::random<2>;
  static constexpr bool queues = true;
  static constexpr bool lends = true;
  static constexpr deal::block<std::uint64_t> share(const shape& loop, member m) noexcept {
    deal::block<std::uint64_t> all(loop.iterations, 1, 0);
    if (m == 0) return all;
    all.first = loop.iterations;
    all.count = 0;
    return all;
  }
};

template <class Sync>
using adaptive = sharing<Sync, adaptive_rules>;

}  // namespace steelyard::schedules
