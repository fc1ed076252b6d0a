// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "schedules/stealing.hpp"

namespace steelyard::schedules {

/// Random stealing, Cilk's rule (Blumofe & Leiserson 1999), for comparison. Deal: equal blocks. Take: c. Ask: a random
/// member, then the others in turn. Split: half the iterations.
struct random_rules {
  static constexpr traits about{"random", "equal blocks; an empty member takes half of a random one's rest",
                                "iterations per chunk (1)", false, false};
  using weigh = weigh::units;
  using deal = deal::blocks;
  using take = take::chunk;
  using ask = ask::random<1>;
  using split = split::lower_half;
};

template <class Sync>
using random = stealing<Sync, random_rules>;

}  // namespace steelyard::schedules
