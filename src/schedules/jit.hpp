// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "schedules/nustatic.hpp"

namespace steelyard::schedules {

/// Just in time (Cammarota, Nicolau & Veidenbaum, "Just in time load balancing", section 2.2). The choice is the front end's, which
/// has clocks (learn/chooser.hpp): it runs a loop's instances by learnt shares, by `dynamic` or `guided` with a chunk that follows
/// from what a fetch costs, on fewer members or on one. This row is the first of these ways, and what runs where nobody chooses.
class jit_rules : public nustatic_rules {
 public:
  static constexpr traits about{
      .name = "jit",
      .summary = "learns each loop, then the fastest of learnt shares, chunks and fewer threads",
      .chunk_meaning = "iterations per chunk, instead of a chosen number",
      .ascending = true,
      .preassigned = true,
      .learns = learning::ways};
  using nustatic_rules::nustatic_rules;
};

template <class Sync>
using jit = whole_blocks<Sync, jit_rules>;

}  // namespace steelyard::schedules
