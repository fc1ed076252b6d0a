// SPDX-License-Identifier: Apache-2.0
// Breadth-first search, level by level. A small frontier is expanded along its edges ("top down"); while a large part of
// the graph is in the frontier, the vertices not yet reached look for a neighbour in it ("bottom up").
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <vector>

#include "graph/csr.hpp"
#include "graph/measure.hpp"
#include "graph/serial_bfs.hpp"

namespace {

using graph::csr;
using graph::unreached;
using graph::vertex;

using depths = std::vector<std::int32_t>;
using frontier = std::vector<vertex>;

// Bottom up pays from about one vertex in twenty on; the exact share matters little.
constexpr std::size_t bottom_up_share = 20;

// Sets the depth of a vertex unless it has one. Threads meet at the same vertex, and one of them must win.
bool claim(std::int32_t& depth, std::int32_t level) {
  std::atomic_ref<std::int32_t> shared(depth);
  std::int32_t expected = unreached;
  return shared.load(std::memory_order_relaxed) == unreached &&
         shared.compare_exchange_strong(expected, level, std::memory_order_relaxed);
}

frontier top_down(const csr& g, const frontier& current, depths& depth, std::int32_t level) {
  frontier next;
#pragma omp parallel
  {
    frontier found;
#pragma omp for schedule(dynamic, 64) nowait
    for (std::size_t i = 0; i < current.size(); ++i)
      for (const vertex u : g.neighbours(current[i]))
        if (claim(depth[u], level)) found.push_back(u);
#pragma omp critical
    next.insert(next.end(), found.begin(), found.end());
  }
  return next;
}

bool has_neighbour_in(const csr& g, vertex v, const std::vector<char>& members) {
  const auto neighbours = g.neighbours(v);
  return std::any_of(neighbours.begin(), neighbours.end(), [&](vertex u) { return members[u] != 0; });
}

frontier bottom_up(const csr& g, const frontier& current, depths& depth, std::int32_t level) {
  const vertex n = g.vertex_count();
  // The frontier is asked here and not through depth, which other threads are writing.
  std::vector<char> members(n, 0);
  for (const vertex v : current) members[v] = 1;
  frontier next;
#pragma omp parallel
  {
    frontier found;
#pragma omp for schedule(dynamic, 64) nowait
    for (vertex v = 0; v < n; ++v) {
      if (depth[v] != unreached || !has_neighbour_in(g, v, members)) continue;
      depth[v] = level;
      found.push_back(v);
    }
#pragma omp critical
    next.insert(next.end(), found.begin(), found.end());
  }
  return next;
}

depths bfs(const csr& g, vertex source) {
  depths depth(g.vertex_count(), unreached);
  depth[source] = 0;
  frontier current{source};
  for (std::int32_t level = 1; !current.empty(); ++level) {
    const bool large = current.size() > g.vertex_count() / bottom_up_share;
    current = large ? bottom_up(g, current, depth, level) : top_down(g, current, depth, level);
  }
  return depth;
}

int run(int argc, char** argv) {
  graph::program program;
  program.default_rmat = "17,16";
  program.repeat = 10;
  long source_option = -1;
  program.parse(argc, argv, "breadth-first search; schedule(dynamic, 64)",
                {argument_number("--source", "where to start; -1 is the vertex of highest degree", -1,
                                 static_cast<long>(graph::id_limit), &source_option)});
  const graph::edge_list list = program.load();
  const csr g = graph::build(list, graph::direction::both);
  if (source_option >= static_cast<long>(g.vertex_count()))
    bad_input("--source %ld: %s has %u vertices, give one below that", source_option, list.name.c_str(),
              g.vertex_count());
  const vertex source = source_option < 0 ? graph::highest_degree_vertex(g) : static_cast<vertex>(source_option);
  std::printf("bfs %s: %u vertices, %zu edges, from vertex %u\n", list.name.c_str(), g.vertex_count(),
              g.neighbour.size() / 2, source);

  const auto print = [](const depths& depth) {
    std::printf("%zu vertices reached, depth %d\n", depth.size() - std::count(depth.begin(), depth.end(), unreached),
                *std::max_element(depth.begin(), depth.end()));
  };
  return graph::measure(
      program, [&] { return bfs(g, source); }, print, [&] { return graph::serial_bfs(g, source); },
      [](const depths& expected, const depths& result) { return graph::check_equal("depth", expected, result); });
}

}  // namespace

int main(int argc, char** argv) { return graph::guarded(run, argc, argv); }
