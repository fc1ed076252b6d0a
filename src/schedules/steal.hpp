// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "schedules/stealing.hpp"

namespace steelyard::schedules {

/// Our own: nothing to tune. Deal: equal blocks, so neighbours stay together; blocks of equal cost where the front end knows them. Take: a
/// fifth of what is left, growing into it from c; a third where costs are known. Ask: the member with most iterations left. Split: half the iterations.
struct steal_rules {
  static constexpr traits about{.name = "steal",
                                .summary = "equal blocks; an empty member takes half of the fullest one's rest",
                                .chunk_meaning = "least iterations per chunk (1)",
                                .by_grain = true};
  using weigh = weigh::share;
  using deal = deal::shares;
  using take = take::gradual;
  using ask = ask::fullest<1>;
  using split = split::upper_half;
};

/// For loops whose equal blocks cost about the same. As nobody has to feel its way a member takes a third of what it has left: a dozen chunks
/// in place of some thirty. What a member holds at once may be a third of its share, so it is no schedule for other loops.
struct steal_even_rules : steal_rules {
  static constexpr traits about{
      .name = "steal:even",
      .summary = "equal blocks, by thirds of their rests; an empty member takes half of the fullest one's rest",
      .chunk_meaning = "least iterations per chunk (1)",
      .by_grain = true};
  using weigh = schedules::weigh::units;
  using deal = schedules::deal::blocks;
  using take = schedules::take::third;
};

template <class Sync>
using steal = stealing<Sync, steal_rules>;
template <class Sync>
using steal_even = stealing<Sync, steal_even_rules>;

}  // namespace steelyard::schedules
