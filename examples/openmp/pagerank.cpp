// SPDX-License-Identifier: Apache-2.0
// PageRank by pulling: each vertex sums what its in-neighbours have to give. In-degrees follow a
// power law, so a few iterations of the loop cost as much as thousands of others.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include "graph/csr.hpp"
#include "graph/measure.hpp"

namespace {

using graph::csr;
using graph::vertex;

constexpr double damping = 0.85;

struct web {
  csr in, out;
};

std::vector<double> pagerank(const web& w, long sweeps) {
  const vertex n = w.in.vertex_count();
  std::vector<double> rank(n, 1.0 / n);
  std::vector<double> share(n);
  for (long sweep = 0; sweep < sweeps; ++sweep) {
    double dangling = 0;  // held by vertices without out-edges, spread over all
#pragma omp parallel for reduction(+ : dangling)
    for (vertex v = 0; v < n; ++v) {
      const auto degree = static_cast<double>(w.out.degree(v));
      share[v] = degree > 0 ? rank[v] / degree : 0;
      dangling += degree > 0 ? 0 : rank[v];
    }
    const double base = (1 - damping + damping * dangling) / n;
#pragma omp parallel for schedule(runtime)
    for (vertex v = 0; v < n; ++v) {
      double sum = 0;
      for (const vertex u : w.in.neighbours(v)) sum += share[u];
      rank[v] = base + damping * sum;
    }
  }
  return rank;
}

// The same ranks by pushing along the edges, one after the other.
std::vector<double> serial_pagerank(const web& w, long sweeps) {
  const vertex n = w.in.vertex_count();
  std::vector<double> rank(n, 1.0 / n);
  for (long sweep = 0; sweep < sweeps; ++sweep) {
    std::vector<double> next(n, 0.0);
    double dangling = 0;
    for (vertex u = 0; u < n; ++u) {
      for (const vertex v : w.out.neighbours(u)) next[v] += rank[u] / static_cast<double>(w.out.degree(u));
      dangling += w.out.degree(u) == 0 ? rank[u] : 0;
    }
    for (double& value : next) value = (1 - damping) / n + damping * (value + dangling / n);
    rank.swap(next);
  }
  return rank;
}

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::abs(a[i] - b[i]);
  return sum;
}

int check(const std::vector<double>& expected, const std::vector<double>& result) {
  const double error = distance(expected, result);
  if (error < 1e-9) return EXIT_SUCCESS;
  return report_wrong("ranks differ from the serial ones by %g in sum", error);
}

int run(int argc, char** argv) {
  graph::program program;
  program.default_rmat = "17,16";
  long sweeps = 10;
  program.parse(argc, argv, "PageRank, pulling along in-edges; schedule(runtime)",
                {argument_number("--sweeps", "sweeps over the graph in a run", 1, 10000, &sweeps)});
  const graph::edge_list list = program.load();
  const web w{graph::build(list, graph::direction::in), graph::build(list, graph::direction::out)};
  std::printf("pagerank %s: %u vertices, %zu edges, %ld sweeps\n", list.name.c_str(), w.in.vertex_count(),
              w.in.neighbour.size(), sweeps);

  const auto print = [](const std::vector<double>& rank) {
    const auto top = std::max_element(rank.begin(), rank.end());
    std::printf("highest rank %.9f at vertex %zu\n", *top, static_cast<std::size_t>(top - rank.begin()));
  };
  return graph::measure(
      program, [&] { return pagerank(w, sweeps); }, print, [&] { return serial_pagerank(w, sweeps); }, check);
}

}  // namespace

int main(int argc, char** argv) { return graph::guarded(run, argc, argv); }
