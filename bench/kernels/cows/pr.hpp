// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cmath>

#include "cost.hpp"
#include "network.hpp"

namespace cows {

// PageRank: each page shares its rank among its neighbours, until no rank moves by a thousandth of the mean. Values: the
// bits of the ranks; each is summed in the order of its neighbours, so they are the same under every schedule.
template <class Loops>
outcome pagerank(const csr& graph, Loops& loops) {
  constexpr double damping = 0.85;
  const vertex n = graph.vertex_count();
  const double mean = 1.0 / n;
  std::vector<double> rank(n, mean), share(n);

  flag moved;
  std::uint64_t rounds = 0;
  do {
    loops.for_each(0, cost::equal{}, [&](vertex v) {
      const auto degree = graph.degree(v);
      share[v] = degree != 0 ? rank[v] / static_cast<double>(degree) : 0;
    });
    loops.for_each(1, cost::degree{graph}, [&](vertex v) {
      double sum = 0;
      for (const vertex u : graph.neighbours(v)) sum += share[u];
      const double next = (1 - damping) * mean + damping * sum;
      if (std::abs(next - rank[v]) > mean / 1000) moved.raise();
      rank[v] = next;
    });
    ++rounds;
  } while (moved.take());

  outcome found{std::vector<std::uint64_t>(n), rounds};
  for (vertex v = 0; v < n; ++v) found.values[v] = std::bit_cast<std::uint64_t>(rank[v]);
  return found;
}

}  // namespace cows
