// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "schedules/choice.hpp"
#include "schedules/work_sums.hpp"

namespace steelyard::loop {

/// What the environment says, read once; what it cannot mean is one line on standard error, and as if it were not set.
struct settings_of_process {
  schedules::choice schedule;  ///< STEELYARD_SCHEDULE, else `automatic`
  bool told;                   ///< STEELYARD_SCHEDULE said so
  /// STEELYARD_WITHOUT, for experiments: any of reuse, equal, guarded and search, the optimisations of COWS, expensive and
  /// sparing, left out.
  schedules::optimisations applied;
  schedules::halving halves = schedules::halving::search;
  bool expensive_first = true;
  bool spares = true;            ///< costs are read only where that pays
  bool verbose = false;          ///< STEELYARD_VERBOSE=1: says where shares are given up, and how exact they are
  bool one_try = false;          ///< STEELYARD_ONE_TRY=1: loops of `idws` run as with the flag of that name
  std::uint32_t least_left = 0;  ///< STEELYARD_LEAST_LEFT, for experiments: see schedules::experiment_switches
};

[[nodiscard]] const settings_of_process& settings();

}  // namespace steelyard::loop
