// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "schedules/packed.hpp"
#include "schedules/stealing.hpp"

namespace steelyard::schedules {

/// BinLPT (Penna, Castro, Plentz, Freitas, Broquedis & Méhaut, "BinLPT: A novel workload-aware loop scheduler for irregular parallel
/// loops", WSCAD 2017; the same and Gomes, "A comprehensive performance evaluation of the BinLPT workload-aware loop scheduler",
/// CCPE 2019). Deal: what iterations cost is known, so the loop is cut into at most k chunks; one ends where it has the k-th part of
/// the work. The heaviest comes first, each goes to the member with least (longest processing time first). Take: a chunk. Ask: the
/// member with most work left. Split: its last chunk, the lightest.
///
/// - The chunk parameter is c iterations as everywhere, and k = ⌈N/c⌉; else k is 8 for each member. So k is the same in granules.
/// - Without costs all iterations cost the same.
/// - Where costs are true it takes at most 4/3 of the least time that these chunks can take (Graham 1969): a thief begins with a
///   chunk before its owner would have.
///
/// Where the sources differ, and what we do: chunks/chunks.md.
struct binlpt_rules {
  static constexpr traits about{"binlpt",
                                "chunks of equal cost, dealt heaviest first; an empty member takes one of others",
                                "iterations of mean cost that a chunk holds (N/8P)", false, false};
  using weigh = weigh::chunks;
  using deal = deal::packed;
  using take = take::one;
  using ask = ask::fullest<1>;
  using split = split::last;
};

template <class Sync>
using binlpt = stealing<Sync, binlpt_rules>;

}  // namespace steelyard::schedules
