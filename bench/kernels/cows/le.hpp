// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "cost.hpp"
#include "network.hpp"

namespace cows {

// Leader election: each node passes on the greatest number it has heard of. Values: the leader, the greatest vertex of the
// component.
template <class Loops>
outcome leader_election(const csr& graph, Loops& loops) {
  std::vector<vertex> leader(graph.vertex_count()), heard(leader);
  loops.for_each(0, cost::equal{}, [&](vertex v) { leader[v] = v; });

  flag changed;
  std::uint64_t rounds = 0;
  do {
    loops.for_each(1, cost::degree{graph}, [&](vertex v) {
      vertex most = leader[v];
      for (const vertex u : graph.neighbours(v)) most = std::max(most, leader[u]);
      heard[v] = most;
    });
    loops.for_each(2, cost::equal{}, [&](vertex v) {
      if (heard[v] == leader[v]) return;
      leader[v] = heard[v];
      changed.raise();
    });
    ++rounds;
  } while (changed.take());
  return {widened(leader), rounds};
}

}  // namespace cows
