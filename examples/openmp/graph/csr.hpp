// SPDX-License-Identifier: Apache-2.0
// A graph in compressed sparse rows: the neighbours of all vertices in one array.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "edge_list.hpp"

namespace graph {

struct csr {
  std::vector<std::uint64_t> offset;  // vertices + 1 entries, the last is the edge count
  std::vector<vertex> neighbour;      // ascending within each vertex, no duplicates, no loops

  vertex vertex_count() const { return static_cast<vertex>(offset.size() - 1); }
  std::uint64_t edge_count() const { return neighbour.size(); }
  std::uint64_t degree(vertex v) const { return offset[v + std::size_t{1}] - offset[v]; }
  std::span<const vertex> neighbours(vertex v) const { return {neighbour.data() + offset[v], degree(v)}; }
};

// Which ends of an edge list's edges become neighbours of the other end.
enum class direction { out, in, both };

// Drops self-loops and parallel edges; throws input_error when nothing is left. Vertex numbers are
// kept as they are: relabelling by degree would smooth away the imbalance these programs show.
csr build(const edge_list& list, direction which);

}  // namespace graph
