// SPDX-License-Identifier: Apache-2.0
#include "csr.hpp"

#include <algorithm>
#include <numeric>

#include "input_error.hpp"

namespace graph {

namespace {

template <class Visit>
void for_each_arc(const edge_list& list, direction which, Visit visit) {
  for (const edge& e : list.edges) {
    if (e.from == e.to) continue;
    if (which != direction::in) visit(e.from, e.to);
    if (which != direction::out) visit(e.to, e.from);
  }
}

csr scatter(const edge_list& list, direction which) {
  csr graph;
  graph.offset.assign(std::size_t{list.vertices} + 1, 0);
  for_each_arc(list, which, [&](vertex from, vertex) { ++graph.offset[from + std::size_t{1}]; });
  std::partial_sum(graph.offset.begin(), graph.offset.end(), graph.offset.begin());
  graph.neighbour.resize(graph.offset.back());
  std::vector<std::uint64_t> cursor(graph.offset.begin(), graph.offset.end() - 1);
  for_each_arc(list, which, [&](vertex from, vertex to) { graph.neighbour[cursor[from]++] = to; });
  return graph;
}

// Sorts each vertex's neighbours and returns how many different ones it has.
std::vector<std::uint64_t> sort_neighbours(csr& graph) {
  const vertex n = graph.vertex_count();
  std::vector<std::uint64_t> kept(n);
#pragma omp parallel for
  for (vertex v = 0; v < n; ++v) {
    vertex* const first = graph.neighbour.data() + graph.offset[v];
    vertex* const last = first + graph.degree(v);
    std::sort(first, last);
    kept[v] = static_cast<std::uint64_t>(std::unique(first, last) - first);
  }
  return kept;
}

// Closes the gaps that duplicates left. Moves only towards the front, so in place and in order.
void close_gaps(csr& graph, const std::vector<std::uint64_t>& kept) {
  std::uint64_t end = 0;
  for (std::size_t v = 0; v < kept.size(); ++v) {
    const auto first = graph.neighbour.begin() + static_cast<std::ptrdiff_t>(graph.offset[v]);
    std::copy(first, first + static_cast<std::ptrdiff_t>(kept[v]),
              graph.neighbour.begin() + static_cast<std::ptrdiff_t>(end));
    graph.offset[v] = end;
    end += kept[v];
  }
  graph.offset.back() = end;
  graph.neighbour.resize(end);
}

}  // namespace

csr build(const edge_list& list, direction which) {
  csr graph = scatter(list, which);
  close_gaps(graph, sort_neighbours(graph));
  if (graph.neighbour.empty())
    throw input_error(list.name +
                      ": no edge joins two different vertices: "
                      "give a graph with at least one edge");
  return graph;
}

}  // namespace graph
