// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "schedules/stealing.hpp"

namespace steelyard::schedules {

/// Static stealing of libomp (`static_steal`), by its rule. Deal: equal blocks. Take: c. Ask: the next member, then the others in turn. Split:
/// a quarter of what the victim has left, from its end; one iteration of 7 and fewer.
struct static_steal_rules {
  static constexpr traits about{"static_steal", "equal blocks; an empty member takes a quarter of the next one's rest",
                                "iterations per chunk (1)", false, false};
  using weigh = weigh::units;
  using deal = deal::blocks;
  using take = take::chunk;
  using ask = ask::next<1>;
  using split = split::quarter;
};

template <class Sync>
using static_steal = stealing<Sync, static_steal_rules>;

}  // namespace steelyard::schedules
