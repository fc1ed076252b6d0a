// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "graph/edge_list.hpp"

namespace cows {

struct graph_size {
  std::uint64_t vertices;
  std::uint64_t edges;  // each counted once
  std::uint64_t most;   // maximum degree
};

// Degrees that follow D (1 + x/s)^-a, x the rank, from D = size.most down to a fifth of the mean (at least 1): a and s are
// the only ones with these ends and the sum 2 * size.edges. Down to 1, a dense graph would be hubs and little else, more
// hubs than a graph without repeated edges can have.
std::vector<std::uint64_t> power_law_degrees(const graph_size& size);

// A random graph with these degrees by the configuration model: every vertex has as many ends as its degree, and ends are
// joined at random. Loops and repeated edges are exchanged with other edges until less than one in a thousand is left.
graph::edge_list configuration_model(const std::vector<std::uint64_t>& degrees, std::uint64_t seed);

}  // namespace cows
