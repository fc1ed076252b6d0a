// SPDX-License-Identifier: Apache-2.0
#include "graph_file.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "binary_file.hpp"

namespace cows {

namespace {

struct header {
  char magic[8];
  char name[48];
  std::uint64_t vertices;
  std::uint64_t arcs;
};

constexpr char magic[8] = {'c', 'o', 'w', 's', 'g', 'r', 'f', '1'};

// Whether the offsets ascend to the number of arcs and the arcs lead to vertices.
bool consistent(const graph::csr& graph) {
  const auto known = [n = graph.vertex_count()](graph::vertex v) { return v < n; };
  return graph.offset.front() == 0 && graph.offset.back() == graph.neighbour.size() &&
         std::is_sorted(graph.offset.begin(), graph.offset.end()) &&
         std::all_of(graph.neighbour.begin(), graph.neighbour.end(), known);
}

}  // namespace

void write_graph(const std::string& path, const named_graph& given) {
  header head{};
  std::memcpy(head.magic, magic, sizeof magic);
  given.name.copy(head.name, sizeof head.name - 1);
  head.vertices = given.graph.vertex_count();
  head.arcs = given.graph.edge_count();
  binary_file file(path, "wb");
  file.write(&head, 1);
  file.write(given.graph.offset.data(), given.graph.offset.size());
  file.write(given.graph.neighbour.data(), given.graph.neighbour.size());
  file.close();
}

named_graph read_graph(const std::string& path) {
  binary_file file(path, "rb");
  header head{};
  file.read(&head, 1);
  if (std::memcmp(head.magic, magic, sizeof magic) != 0 || head.vertices == 0 || head.vertices > graph::id_limit)
    throw graph::input_error(path + ": is no graph of cows-graph: make one with it");
  graph::require_memory(path, head.vertices, head.arcs);
  named_graph found;
  head.name[sizeof head.name - 1] = '\0';
  found.name = head.name;
  found.graph.offset.resize(head.vertices + 1);
  found.graph.neighbour.resize(head.arcs);
  file.read(found.graph.offset.data(), found.graph.offset.size());
  file.read(found.graph.neighbour.data(), found.graph.neighbour.size());
  if (!consistent(found.graph)) throw graph::input_error(path + ": is damaged: make it anew with cows-graph");
  return found;
}

}  // namespace cows
