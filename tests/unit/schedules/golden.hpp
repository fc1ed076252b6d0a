// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace steelyard::schedules::testing {

/// Replays every vector of tests/golden/<name>.txt; that directory's README.md says how they are written.
void matches_golden_vectors(const std::string& name);

}  // namespace steelyard::schedules::testing
