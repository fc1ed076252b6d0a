// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cost.hpp"
#include "network.hpp"

namespace cows {

// Breadth-first search: the nodes reached last tell their neighbours. Values: distance from the root, or `nobody`.
template <class Loops>
outcome bfs(const csr& graph, Loops& loops) {
  std::vector<vertex> level(graph.vertex_count());
  const vertex root = root_of(graph);
  loops.for_each(0, cost::equal{}, [&](vertex v) { level[v] = v == root ? 0 : nobody; });

  flag reached;
  vertex round = 0;
  do {
    loops.for_each(1, cost::guarded{graph}, [&](vertex v) {
      // Neighbours may set it meanwhile, but only to round + 1.
      if (std::atomic_ref(level[v]).load(std::memory_order_relaxed) != round) return;
      for (const vertex u : graph.neighbours(v)) {
        const std::atomic_ref theirs(level[u]);
        if (theirs.load(std::memory_order_relaxed) != nobody) continue;
        theirs.store(round + 1, std::memory_order_relaxed);
        reached.raise();
      }
    });
    ++round;
  } while (reached.take());
  return {widened(level), round};
}

}  // namespace cows
