// SPDX-License-Identifier: Apache-2.0
// Counts triangles u < v < w: for each vertex, intersects its list of smaller neighbours with the
// lists of those neighbours. The cost of an iteration grows with the square of the degree.
#include <cstdint>
#include <cstdio>
#include <vector>

#include "graph/csr.hpp"
#include "graph/measure.hpp"

namespace {

using graph::csr;
using graph::vertex;

std::uint64_t common_neighbours_below(const csr& g, vertex a, vertex b, vertex limit) {
  const auto first = g.neighbours(a);
  const auto second = g.neighbours(b);
  std::uint64_t count = 0;
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < first.size() && j < second.size() && first[i] < limit && second[j] < limit) {
    const vertex x = first[i];
    const vertex y = second[j];
    count += x == y;
    i += x <= y;
    j += y <= x;
  }
  return count;
}

std::uint64_t count_triangles(const csr& g) {
  const std::int64_t n = g.vertex_count();
  std::uint64_t triangles = 0;
#pragma omp parallel for schedule(guided) reduction(+ : triangles)
  for (std::int64_t i = 0; i < n; ++i) {
    const auto w = static_cast<vertex>(i);
    for (const vertex v : g.neighbours(w)) {
      if (v >= w) break;
      triangles += common_neighbours_below(g, w, v, v);
    }
  }
  return triangles;
}

// The same number by marking: w's smaller neighbours are marked, then looked up from each of them.
std::uint64_t serial_triangles(const csr& g) {
  constexpr vertex nobody = ~vertex{0};
  std::vector<vertex> marked_by(g.vertex_count(), nobody);
  std::uint64_t triangles = 0;
  for (vertex w = 0; w < g.vertex_count(); ++w) {
    for (const vertex v : g.neighbours(w)) marked_by[v] = w;
    for (const vertex v : g.neighbours(w)) {
      if (v >= w) break;
      for (const vertex u : g.neighbours(v)) {
        if (u >= v) break;
        triangles += marked_by[u] == w;
      }
    }
  }
  return triangles;
}

int check(std::uint64_t expected, std::uint64_t result) {
  if (result == expected) return EXIT_SUCCESS;
  return report_wrong("%llu triangles, the serial count is %llu", static_cast<unsigned long long>(result),
                      static_cast<unsigned long long>(expected));
}

int run(int argc, char** argv) {
  graph::program program;
  program.default_rmat = "15,16";
  program.parse(argc, argv, "triangle count; schedule(guided)");
  const graph::edge_list list = program.load();
  const csr g = graph::build(list, graph::direction::both);
  std::printf("triangles %s: %u vertices, %zu edges\n", list.name.c_str(), g.vertex_count(), g.neighbour.size() / 2);

  return graph::measure(
      program, [&] { return count_triangles(g); },
      [](std::uint64_t count) { std::printf("%llu triangles\n", static_cast<unsigned long long>(count)); },
      [&] { return serial_triangles(g); }, check);
}

}  // namespace

int main(int argc, char** argv) { return graph::guarded(run, argc, argv); }
