// SPDX-License-Identifier: Apache-2.0
// Connected components by concurrent union-find: every edge joins the trees of its ends, the larger root below the
// smaller, so the label of a component is its smallest vertex whatever the order of the iterations.
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <utility>
#include <vector>

#include "graph/csr.hpp"
#include "graph/measure.hpp"

namespace {

using graph::csr;
using graph::vertex;

using labels = std::vector<vertex>;

// Relaxed suffices throughout: parents only ever get smaller, a stale one is still an ancestor, and the loop's barrier
// publishes the final ones.
vertex load(vertex& cell) { return std::atomic_ref<vertex>(cell).load(std::memory_order_relaxed); }

bool replace(vertex& cell, vertex expected, vertex value) {
  return std::atomic_ref<vertex>(cell).compare_exchange_strong(expected, value, std::memory_order_relaxed);
}

// Halves the path on its way, so that later searches are short.
vertex find_root(labels& parent, vertex v) {
  for (;;) {
    const vertex up = load(parent[v]);
    const vertex top = load(parent[up]);
    if (up == top) return up;
    replace(parent[v], up, top);
    v = top;
  }
}

void unite(labels& parent, vertex a, vertex b) {
  for (;;) {
    a = find_root(parent, a);
    b = find_root(parent, b);
    if (a == b) return;
    if (a < b) std::swap(a, b);
    if (replace(parent[a], a, b)) return;
  }
}

labels components(const csr& g) {
  const vertex n = g.vertex_count();
  labels parent(n);
#pragma omp parallel for
  for (vertex v = 0; v < n; ++v) parent[v] = v;
#pragma omp parallel for schedule(dynamic)
  for (vertex v = 0; v < n; ++v) {
    for (const vertex u : g.neighbours(v)) {
      if (u >= v) break;  // the other end sees this edge
      unite(parent, v, u);
    }
  }
#pragma omp parallel for
  for (vertex v = 0; v < n; ++v) {
    const vertex root = find_root(parent, v);
    std::atomic_ref<vertex>(parent[v]).store(root, std::memory_order_relaxed);
  }
  return parent;
}

// Floods each component from its smallest vertex.
labels serial_components(const csr& g) {
  constexpr vertex none = ~vertex{0};
  labels label(g.vertex_count(), none);
  std::vector<vertex> stack;
  for (vertex first = 0; first < g.vertex_count(); ++first) {
    if (label[first] != none) continue;
    label[first] = first;
    stack.push_back(first);
    while (!stack.empty()) {
      const vertex v = stack.back();
      stack.pop_back();
      for (const vertex u : g.neighbours(v)) {
        if (label[u] != none) continue;
        label[u] = first;
        stack.push_back(u);
      }
    }
  }
  return label;
}

std::size_t count_components(const labels& label) {
  std::size_t count = 0;
  for (std::size_t v = 0; v < label.size(); ++v) count += label[v] == v;
  return count;
}

int run(int argc, char** argv) {
  graph::program program;
  program.default_rmat = "17,16";
  program.repeat = 10;
  program.parse(argc, argv, "connected components by union-find; schedule(dynamic)");
  const graph::edge_list list = program.load();
  const csr g = graph::build(list, graph::direction::both);
  std::printf("components %s: %u vertices, %zu edges\n", list.name.c_str(), g.vertex_count(), g.neighbour.size() / 2);

  return graph::measure(
      program, [&] { return components(g); },
      [](const labels& label) { std::printf("%zu components\n", count_components(label)); },
      [&] { return serial_components(g); },
      [](const labels& expected, const labels& result) { return graph::check_equal("component", expected, result); });
}

}  // namespace

int main(int argc, char** argv) { return graph::guarded(run, argc, argv); }
