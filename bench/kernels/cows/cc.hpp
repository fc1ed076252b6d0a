// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "cost.hpp"
#include "network.hpp"

namespace cows {

// Connected components: the least label around spreads. Values: the least vertex of the component.
template <class Loops>
outcome components(const csr& graph, Loops& loops) {
  std::vector<vertex> label(graph.vertex_count()), next(label);
  loops.for_each(0, cost::equal{}, [&](vertex v) { label[v] = v; });

  flag changed;
  std::uint64_t rounds = 0;
  do {
    loops.for_each(1, cost::degree{graph}, [&](vertex v) {
      vertex least = label[v];
      for (const vertex u : graph.neighbours(v)) least = std::min(least, label[u]);
      next[v] = least;
      if (least != label[v]) changed.raise();
    });
    label.swap(next);
    ++rounds;
  } while (changed.take());
  return {widened(label), rounds};
}

}  // namespace cows
