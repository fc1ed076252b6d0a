// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "schedules/stealing.hpp"

namespace steelyard::schedules {

/// WS-Random of COWS (Mishra & Nandivada 2023, section 3.2). Deal: cyclic. Take: the fourth root of the work. Ask: a
/// random member with at least 5 iterations left (section 5). Split: half the iterations, the victim keeps the larger.
struct wsr_rules {
  static constexpr traits about{
      .name = "wsr",
      .summary = "cyclic, in large blocks; an empty member takes half of a random one's rest",
      .chunk_meaning = "iterations per chunk (fourth root of N; more while much is left, where chunks are contiguous)",
      .by_grain = true};
  using weigh = weigh::units;
  using deal = deal::cyclic;
  using take = take::fourth_root_of_work;
  using ask = ask::random<5>;
  using split = split::lower_half;
};

/// The same as published: iterations are dealt one by one, and members take the fourth root of the work each time, also
/// where the front end wants neighbours together, for which the default form deals large blocks (docs/decisions/007).
struct wsr_paper_rules : wsr_rules {
  static constexpr traits about{
      .name = "wsr:paper",
      .summary = "cyclic, by one; an empty member takes half of a random one's rest: as published",
      .chunk_meaning = "iterations per reservation (fourth root of N)",
      .as_published = true};
};

template <class Sync>
using wsr = stealing<Sync, wsr_rules>;
template <class Sync>
using wsr_paper = stealing<Sync, wsr_paper_rules>;

}  // namespace steelyard::schedules
