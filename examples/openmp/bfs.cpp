// SPDX-License-Identifier: Apache-2.0
// Breadth-first search, level by level. A small frontier is expanded along its edges ("top down"); while a large part of
// the graph is in the frontier, the vertices not yet reached look for a neighbour in it ("bottom up").
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <vector>

#include "graph/csr.hpp"
#include "graph/measure.hpp"
#include "graph/sample.hpp"
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

using searches = std::vector<depths>;

template <class Search>
searches search_from(const std::vector<vertex>& sources, Search search) {
  searches all;
  for (const vertex source : sources) all.push_back(search(source));
  return all;
}

int check(const searches& expected, const searches& result) {
  for (std::size_t i = 0; i < expected.size(); ++i)
    if (graph::check_equal("depth", expected[i], result[i]) != EXIT_SUCCESS) return EXIT_FAILURE;
  return EXIT_SUCCESS;
}

void print(const searches& all) {
  std::size_t reached = 0;
  std::int32_t deepest = 0;
  for (const depths& depth : all) {
    reached += depth.size() - static_cast<std::size_t>(std::count(depth.begin(), depth.end(), unreached));
    deepest = std::max(deepest, *std::max_element(depth.begin(), depth.end()));
  }
  std::printf("%zu vertices reached, largest depth %d\n", reached, deepest);
}

int run(int argc, char** argv) {
  graph::program program;
  program.default_rmat = "17,16";
  long count = 16;
  program.parse(argc, argv, "breadth-first search; schedule(dynamic, 64)",
                {argument_number("--sources", "how many vertices to search from in a run", 1, 10000, &count)});
  const graph::edge_list list = program.load();
  const csr g = graph::build(list, graph::direction::both);
  const std::vector<vertex> sources = graph::sample(g, count, 1);
  std::printf("bfs %s: %u vertices, %zu edges, %ld sources\n", list.name.c_str(), g.vertex_count(),
              g.neighbour.size() / 2, count);

  return graph::measure(
      program, [&] { return search_from(sources, [&](vertex source) { return bfs(g, source); }); }, print,
      [&] { return search_from(sources, [&](vertex source) { return graph::serial_bfs(g, source); }); }, check);
}

}  // namespace

int main(int argc, char** argv) { return graph::guarded(run, argc, argv); }
