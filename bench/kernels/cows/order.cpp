// SPDX-License-Identifier: Apache-2.0
#include "order.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "graph/input_error.hpp"
#include "network.hpp"

namespace cows {

namespace {

// The vertices in their new order.
using sequence = std::vector<vertex>;

sequence all_of(const csr& graph) {
  sequence all(graph.vertex_count());
  std::iota(all.begin(), all.end(), vertex{0});
  return all;
}

sequence at_random(const csr& graph) {
  constexpr std::uint64_t seed = std::uint64_t{2022} << 32;
  sequence all = all_of(graph);
  for (std::size_t left = all.size(); left > 1; --left) {
    std::swap(all[left - 1], all[graph::random_bits(seed + left) % left]);
  }
  return all;
}

sequence by_degree(const csr& graph) {
  sequence all = all_of(graph);
  std::sort(all.begin(), all.end(), [&](vertex u, vertex v) {
    return graph.degree(u) != graph.degree(v) ? graph.degree(u) > graph.degree(v) : u < v;
  });
  return all;
}

sequence by_levels(const csr& graph) {
  sequence met;
  std::vector<bool> seen(graph.vertex_count());
  const auto meet = [&](vertex v) {
    if (!seen[v]) met.push_back(v);
    seen[v] = true;
  };
  std::size_t next = 0;
  const auto search_from = [&](vertex start) {
    for (meet(start); next < met.size(); ++next) {
      for (const vertex u : graph.neighbours(met[next])) meet(u);
    }
  };
  search_from(root_of(graph));
  for (vertex v = 0; v < graph.vertex_count(); ++v) search_from(v);
  return met;
}

csr renumbered(const csr& graph, const sequence& order) {
  sequence number(order.size());  // old to new
  for (vertex v = 0; v < order.size(); ++v) number[order[v]] = v;
  csr result;
  result.offset.reserve(order.size() + 1);
  result.offset.push_back(0);
  result.neighbour.reserve(graph.edge_count());
  for (const vertex old : order) {
    const auto begin = static_cast<std::ptrdiff_t>(result.neighbour.size());
    for (const vertex u : graph.neighbours(old)) result.neighbour.push_back(number[u]);
    std::sort(result.neighbour.begin() + begin, result.neighbour.end());
    result.offset.push_back(result.neighbour.size());
  }
  return result;
}

}  // namespace

csr reordered(csr graph, std::string_view order) {
  if (order == "given") return graph;
  if (order == "random") return renumbered(graph, at_random(graph));
  if (order == "degree") return renumbered(graph, by_degree(graph));
  if (order == "levels") return renumbered(graph, by_levels(graph));
  throw graph::input_error("--order " + std::string(order) +
                           ": no such order; there are given, random, degree, levels");
}

}  // namespace cows
