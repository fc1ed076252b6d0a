// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "schedules/stealing.hpp"

namespace steelyard::schedules {

/// WS-Remaining-Iterations of COWS (Mishra & Nandivada 2023, section 3.3): wsr, but the victim is the member with most
/// iterations left that no other thief asks just now (section 3.5). A busy victim is second choice, never a lock.
struct wsri_rules {
  static constexpr traits about{
      .name = "wsri",
      .summary = "cyclic, in large blocks; an empty member takes half of the fullest one's rest",
      .chunk_meaning = "iterations per chunk (fourth root of N; more while much is left, where chunks are contiguous)",
      .by_grain = true};
  using weigh = weigh::units;
  using deal = deal::cyclic;
  using take = take::fourth_root_of_work;
  using ask = ask::fullest<5, true>;
  using split = split::lower_half;
};

/// The same as published: iterations are dealt one by one, and members take the fourth root of the work each time, also
/// where the front end wants neighbours together, for which the default form deals large blocks (docs/decisions/007).
struct wsri_paper_rules : wsri_rules {
  static constexpr traits about{
      .name = "wsri:paper",
      .summary = "cyclic, by one; an empty member takes half of the fullest one's rest: as published",
      .chunk_meaning = "iterations per reservation (fourth root of N)",
      .as_published = true};
};

template <class Sync>
using wsri = stealing<Sync, wsri_rules>;
template <class Sync>
using wsri_paper = stealing<Sync, wsri_paper_rules>;

}  // namespace steelyard::schedules
