// SPDX-License-Identifier: Apache-2.0
// Betweenness centrality from a sample of sources (Brandes): one search forward and one sweep back for each source. Few
// iterations of very different length: a source outside the large component costs nothing.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <vector>

#include "graph/csr.hpp"
#include "graph/measure.hpp"
#include "graph/sample.hpp"
#include "graph/serial_bfs.hpp"

namespace {

using graph::csr;
using graph::unreached;
using graph::vertex;

// Working memory of one thread.
struct workspace {
  explicit workspace(vertex n) : depth(n), paths(n), dependency(n), centrality(n, 0.0) {}

  std::vector<std::int32_t> depth;
  std::vector<double> paths;  // number of shortest paths; a count that can exceed 64 bits
  std::vector<double> dependency;
  std::vector<vertex> order;  // vertices by distance from the source
  std::vector<double> centrality;
};

struct result {
  std::vector<double> centrality;
  std::vector<double> of_source;  // what each source contributed to all vertices together
};

void count_paths(const csr& g, vertex source, workspace& w) {
  w.depth.assign(w.depth.size(), unreached);
  w.paths.assign(w.paths.size(), 0);
  w.depth[source] = 0;
  w.paths[source] = 1;
  w.order.assign(1, source);
  for (std::size_t head = 0; head < w.order.size(); ++head) {
    const vertex v = w.order[head];
    for (const vertex u : g.neighbours(v)) {
      if (w.depth[u] == unreached) {
        w.depth[u] = w.depth[v] + 1;
        w.order.push_back(u);
      }
      if (w.depth[u] == w.depth[v] + 1) w.paths[u] += w.paths[v];
    }
  }
}

// Hands dependencies from the farthest vertices back towards the source.
double accumulate(const csr& g, workspace& w) {
  w.dependency.assign(w.dependency.size(), 0);
  double total = 0;
  for (std::size_t i = w.order.size() - 1; i > 0; --i) {
    const vertex v = w.order[i];
    for (const vertex u : g.neighbours(v))
      if (w.depth[u] + 1 == w.depth[v]) w.dependency[u] += w.paths[u] / w.paths[v] * (1 + w.dependency[v]);
    w.centrality[v] += w.dependency[v];
    total += w.dependency[v];
  }
  return total;
}

result betweenness(const csr& g, const std::vector<vertex>& sources) {
  const vertex n = g.vertex_count();
  result r{std::vector<double>(n, 0.0), std::vector<double>(sources.size(), 0.0)};
#pragma omp parallel
  {
    workspace w(n);
#pragma omp for schedule(dynamic) nowait
    for (std::size_t i = 0; i < sources.size(); ++i) {
      count_paths(g, sources[i], w);
      r.of_source[i] += accumulate(g, w);
    }
#pragma omp critical
    for (vertex v = 0; v < n; ++v) r.centrality[v] += w.centrality[v];
  }
  return r;
}

// A shortest path of d steps has d - 1 inner vertices, so the dependencies of a source sum up to the sum of d - 1 over
// all vertices it reaches: known from a plain search.
std::vector<double> serial_totals(const csr& g, const std::vector<vertex>& sources) {
  std::vector<double> totals;
  for (const vertex source : sources) {
    double total = 0;
    for (const std::int32_t depth : graph::serial_bfs(g, source))
      if (depth > 1) total += depth - 1;
    totals.push_back(total);
  }
  return totals;
}

bool differ(double a, double b) { return !(std::abs(a - b) <= 1e-9 * (1 + std::abs(b))); }

int check(const std::vector<double>& totals, const result& r) {
  for (std::size_t i = 0; i < totals.size(); ++i)
    if (differ(r.of_source[i], totals[i]))
      return report_wrong("source %zu contributes %.17g, the serial search says %.17g", i, r.of_source[i], totals[i]);
  const double sum = std::accumulate(r.centrality.begin(), r.centrality.end(), 0.0);
  const double expected = std::accumulate(totals.begin(), totals.end(), 0.0);
  if (differ(sum, expected)) return report_wrong("centralities sum up to %.17g instead of %.17g", sum, expected);
  return EXIT_SUCCESS;
}

int run(int argc, char** argv) {
  graph::program program;
  program.default_rmat = "15,16";
  long count = 64;
  program.parse(argc, argv, "betweenness centrality from sampled sources; schedule(dynamic)",
                {argument_number("--sources", "how many sources to sample", 1, 1000000, &count)});
  const graph::edge_list list = program.load();
  const csr g = graph::build(list, graph::direction::both);
  const std::vector<vertex> sources = graph::sample(g, count, 0);
  std::printf("betweenness %s: %u vertices, %zu edges, %ld sources\n", list.name.c_str(), g.vertex_count(),
              g.neighbour.size() / 2, count);

  const auto print = [](const result& r) {
    const auto top = std::max_element(r.centrality.begin(), r.centrality.end());
    std::printf("most central vertex %zu\n", static_cast<std::size_t>(top - r.centrality.begin()));
  };
  return graph::measure(
      program, [&] { return betweenness(g, sources); }, print, [&] { return serial_totals(g, sources); }, check);
}

}  // namespace

int main(int argc, char** argv) { return graph::guarded(run, argc, argv); }
