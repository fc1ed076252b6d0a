// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "schedules/stealing.hpp"

namespace steelyard::schedules {

/// WS-Remaining-Work of COWS (Mishra & Nandivada 2023, section 3.4): wsri where iterations count for what they cost.
/// Ask: the member with most work left, at least that of 5 mean iterations. Split: at the first position with half of
/// the work before it; the thief takes the tail.
///
/// - Without costs it is wsri: nobody knows them, all are 0, or they say little because bodies stand under a condition
///   (Opt3; `work_sums` leaves them out then).
/// - With equal costs it is cyclic (Opt2): everybody takes all of its share at once, and only what a member that has
///   not come would keep is divided. Decided here rather than by a choice of another schedule, so that a loop keeps its
///   schedule whatever its costs turn out to be; `cost_knowledge::equal` says so.
///
/// Beyond the paper: where the front end asks for it (`front_end_abilities::expensive_first`), a list begins with its most expensive iteration if that
/// is much of a member's share, so that nobody comes to it last (docs/decisions/011).
///
/// Where we read the paper in our own way: its least is 5 iterations (section 5), ours the work of 5 mean iterations; a
/// chunk is the fourth root of N in iterations, whatever they cost (docs/decisions/004 has the figures for both); its
/// thieves share a lock (section 3.5), ours take none (steal.md).
struct wsrw_rules {
  static constexpr traits about{
      .name = "wsrw",
      .summary = "cyclic, in large blocks; an empty member takes half of the most work left; wsri without costs",
      .chunk_meaning = "iterations per chunk (fourth root of N; more while much is left, where chunks are contiguous)",
      .by_grain = true};
  using weigh = weigh::work;
  using deal = deal::cyclic;
  using take = take::fourth_root_or_all;
  using ask = ask::fullest<5, true>;
  using split = split::lower_half_of_work;
};

/// The same as published: iterations are dealt one by one, and members take the fourth root of the work each time, also
/// where the front end wants neighbours together, for which the default form deals large blocks (docs/decisions/007).
struct wsrw_paper_rules : wsrw_rules {
  static constexpr traits about{
      .name = "wsrw:paper",
      .summary = "cyclic, by one; an empty member takes half of the most work left: as published",
      .chunk_meaning = "iterations per reservation (fourth root of N)",
      .as_published = true};
};

/// What wsrw deals of a loop, each list from its beginning in the loop on, wherever its members begin.
inline deal::cyclic deal_in_loop_order(shape loop) noexcept {
  loop.known.starts = nullptr;
  return {loop, wsrw_rules::take::reservation(loop)};
}

template <class Sync>
using wsrw = stealing<Sync, wsrw_rules>;
template <class Sync>
using wsrw_paper = stealing<Sync, wsrw_paper_rules>;

}  // namespace steelyard::schedules
