// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <vector>

#include "topology/calibrate.hpp"

namespace steelyard::topology {

/// Two rows for 1, 2, 4, … threads, as many as there are processors in this process's mask: what one of them takes to fetch a chunk
/// while all do nothing else, from a counter of chunks (`dynamic`), and from one that shrinking chunks are taken of (`guided`).
[[nodiscard]] std::vector<measurement> calibrate_fetches(std::chrono::nanoseconds budget_of_row);

/// How many rows that are.
[[nodiscard]] std::size_t fetch_rows();

}  // namespace steelyard::topology
