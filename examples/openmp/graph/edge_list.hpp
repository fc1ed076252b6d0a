// SPDX-License-Identifier: Apache-2.0
// A graph as it arrives: directed edges in any order, with where they came from.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace graph {

using vertex = std::uint32_t;

// Ids at or above this are refused: the bitmap that renumbers them stays below 256 MiB.
inline constexpr std::uint64_t id_limit = std::uint64_t{1} << 31;

struct edge {
  vertex from, to;
};

struct edge_list {
  std::string name;  // as messages show it: a file name, or "--rmat 16,16"
  vertex vertices = 0;
  std::vector<edge> edges;
};

// Numbers the ids that occur 0, 1, ... in ascending order. Files leave gaps in their ids, and an
// array as long as the largest id could be a thousand times the size of the graph.
void renumber(edge_list& list);

// Throws input_error when a graph of this size cannot fit into the machine's memory.
void require_memory(const std::string& name, std::uint64_t vertices, std::uint64_t edges);

}  // namespace graph
