// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "schedules/steal.hpp"

namespace steelyard::schedules {

/// The best of several schedules for each loop. The choice is the front end's, which has clocks (learn/automatic.hpp). This row is the first
/// of these ways, `steal`, and what runs where nobody chooses.
struct automatic_rules : steal_rules {
  static constexpr traits about{.name = "automatic",
                                .summary = "steal; where loops run again, the schedule that is found to be the best",
                                .chunk_meaning = "least iterations per chunk, where steal is chosen (1)",
                                .learns = learning::schedule};
};

template <class Sync>
using automatic = stealing<Sync, automatic_rules>;

}  // namespace steelyard::schedules
