// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "csr.hpp"
#include "random.hpp"

namespace graph {

// The same pseudo-random vertices on every call, each of at least the given degree. The graph must have such a vertex.
inline std::vector<vertex> sample(const csr& graph, long count, std::uint64_t least_degree) {
  std::vector<vertex> chosen;
  for (std::uint64_t draw = 0; chosen.size() < static_cast<std::size_t>(count); ++draw) {
    const auto v = static_cast<vertex>(random_bits(draw) % graph.vertex_count());
    if (graph.degree(v) >= least_degree) chosen.push_back(v);
  }
  return chosen;
}

}  // namespace graph
