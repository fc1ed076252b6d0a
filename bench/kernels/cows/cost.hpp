// SPDX-License-Identifier: Apache-2.0
// What a loop knows of the costs of its iterations before it runs; every loop of a kernel names one of these.
#pragma once

#include <cstdint>

#include "graph/csr.hpp"

namespace cows::cost {

enum class kind : std::uint32_t { equal, degree, guarded };

// All iterations cost the same: the paper's "uniform" loops.
struct equal {
  static constexpr kind what = kind::equal;
};

// An iteration walks its vertex's neighbours: 1 + degree.
struct degree {
  static constexpr kind what = kind::degree;
  const graph::csr& graph;
  std::uint64_t of(graph::vertex v) const { return 1 + graph.degree(v); }
};

// The same for the vertices that pass a test inside the body, next to nothing for the others. Nobody knows which beforehand.
struct guarded {
  static constexpr kind what = kind::guarded;
  const graph::csr& graph;
  std::uint64_t of(graph::vertex v) const { return 1 + graph.degree(v); }
};

}  // namespace cows::cost
