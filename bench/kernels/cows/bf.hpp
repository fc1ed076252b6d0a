// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cost.hpp"
#include "network.hpp"

namespace cows {

// Bellman-Ford: every node tells its neighbours how far they are from the root through it, until nothing changes.
// Values: distance, shifted by 32, and the parent on a shortest path.
template <class Loops>
outcome bellman_ford(const csr& graph, Loops& loops) {
  constexpr std::uint32_t far = ~std::uint32_t{0};
  const vertex n = graph.vertex_count();
  const vertex root = root_of(graph);
  std::vector<std::uint32_t> distance(n), told(n);  // told: the least that came in
  std::vector<vertex> parent(n);
  std::vector<std::uint32_t> sent(n);  // what each node told in this round
  loops.for_each(0, cost::equal{}, [&](vertex v) {
    distance[v] = told[v] = v == root ? 0 : far;
    parent[v] = v == root ? root : nobody;
  });

  flag changed;
  std::uint64_t rounds = 0;
  do {
    loops.for_each(1, cost::degree{graph}, [&](vertex v) {
      sent[v] = distance[v];
      if (sent[v] == far) return;
      for (const vertex u : graph.neighbours(v)) {
        lower(told[u], static_cast<std::uint32_t>(sent[v] + length_of(v, u)));
      }
    });
    loops.for_each(2, cost::degree{graph}, [&](vertex v) {
      if (told[v] >= distance[v]) return;
      distance[v] = told[v];
      for (const vertex u : graph.neighbours(v)) {
        if (sent[u] == far || sent[u] + length_of(u, v) != told[v]) continue;
        parent[v] = u;
        break;
      }
      changed.raise();
    });
    ++rounds;
  } while (changed.take());

  outcome found{std::vector<std::uint64_t>(n), rounds};
  for (vertex v = 0; v < n; ++v) found.values[v] = std::uint64_t{distance[v]} << 32 | parent[v];
  return found;
}

}  // namespace cows
