// SPDX-License-Identifier: Apache-2.0
// Kernels of kernels.hpp as plain OpenMP, each loop written out with `schedule(runtime)`, as programs have them that know nothing of
// Steelyard. `steelyard cc` compiles them, and finds out what their iterations cost. They find what the others find.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>

#include "network.hpp"

namespace cows::plain {

inline outcome pagerank(const csr& graph, std::uint64_t& loops) {
  constexpr double damping = 0.85;
  const vertex n = graph.vertex_count();
  const std::uint64_t* const first = graph.offset.data();
  const vertex* const to = graph.neighbour.data();
  const double mean = 1.0 / n;
  std::vector<double> rank(n, mean), share(n);
  flag moved;
  std::uint64_t rounds = 0;
  do {
    ++loops;
#pragma omp parallel for schedule(runtime)
    for (vertex v = 0; v < n; ++v) {
      const std::uint64_t degree = first[v + std::size_t{1}] - first[v];
      share[v] = degree != 0 ? rank[v] / static_cast<double>(degree) : 0;
    }
    ++loops;
#pragma omp parallel for schedule(runtime)
    for (vertex v = 0; v < n; ++v) {
      double sum = 0;
      for (std::uint64_t k = first[v]; k < first[v + std::size_t{1}]; ++k) sum += share[to[k]];
      const double next = (1 - damping) * mean + damping * sum;
      if (std::abs(next - rank[v]) > mean / 1000) moved.raise();
      rank[v] = next;
    }
    ++rounds;
  } while (moved.take());
  outcome found{std::vector<std::uint64_t>(n), rounds};
  for (vertex v = 0; v < n; ++v) found.values[v] = std::bit_cast<std::uint64_t>(rank[v]);
  return found;
}

inline outcome components(const csr& graph, std::uint64_t& loops) {
  const vertex n = graph.vertex_count();
  const std::uint64_t* const first = graph.offset.data();
  const vertex* const to = graph.neighbour.data();
  std::vector<vertex> label(n), next(n);
  ++loops;
#pragma omp parallel for schedule(runtime)
  for (vertex v = 0; v < n; ++v) label[v] = v;
  flag changed;
  std::uint64_t rounds = 0;
  do {
    ++loops;
#pragma omp parallel for schedule(runtime)
    for (vertex v = 0; v < n; ++v) {
      vertex least = label[v];
      for (std::uint64_t k = first[v]; k < first[v + std::size_t{1}]; ++k) least = std::min(least, label[to[k]]);
      next[v] = least;
      if (least != label[v]) changed.raise();
    }
    label.swap(next);
    ++rounds;
  } while (changed.take());
  return {widened(label), rounds};
}

inline outcome leader_election(const csr& graph, std::uint64_t& loops) {
  const vertex n = graph.vertex_count();
  const std::uint64_t* const first = graph.offset.data();
  const vertex* const to = graph.neighbour.data();
  std::vector<vertex> leader(n), heard(n);
  ++loops;
#pragma omp parallel for schedule(runtime)
  for (vertex v = 0; v < n; ++v) leader[v] = v;
  flag changed;
  std::uint64_t rounds = 0;
  do {
    ++loops;
#pragma omp parallel for schedule(runtime)
    for (vertex v = 0; v < n; ++v) {
      vertex most = leader[v];
      for (std::uint64_t k = first[v]; k < first[v + std::size_t{1}]; ++k) most = std::max(most, leader[to[k]]);
      heard[v] = most;
    }
    ++loops;
#pragma omp parallel for schedule(runtime)
    for (vertex v = 0; v < n; ++v) {
      if (heard[v] == leader[v]) continue;
      leader[v] = heard[v];
      changed.raise();
    }
    ++rounds;
  } while (changed.take());
  return {widened(leader), rounds};
}

inline outcome bfs(const csr& graph, std::uint64_t& loops) {
  const vertex n = graph.vertex_count();
  const std::uint64_t* const first = graph.offset.data();
  const vertex* const to = graph.neighbour.data();
  const vertex root = root_of(graph);
  std::vector<vertex> level(n);
  ++loops;
#pragma omp parallel for schedule(runtime)
  for (vertex v = 0; v < n; ++v) level[v] = v == root ? 0 : nobody;
  flag reached;
  vertex round = 0;
  do {
    ++loops;
#pragma omp parallel for schedule(runtime)
    for (vertex v = 0; v < n; ++v) {
      if (std::atomic_ref(level[v]).load(std::memory_order_relaxed) != round) continue;
      for (std::uint64_t k = first[v]; k < first[v + std::size_t{1}]; ++k) {
        const std::atomic_ref theirs(level[to[k]]);
        if (theirs.load(std::memory_order_relaxed) != nobody) continue;
        theirs.store(round + 1, std::memory_order_relaxed);
        reached.raise();
      }
    }
    ++round;
  } while (reached.take());
  return {widened(level), round};
}

inline outcome bellman_ford(const csr& graph, std::uint64_t& loops) {
  constexpr std::uint32_t far = ~std::uint32_t{0};
  const vertex n = graph.vertex_count();
  const std::uint64_t* const first = graph.offset.data();
  const vertex* const to = graph.neighbour.data();
  const vertex root = root_of(graph);
  std::vector<std::uint32_t> distance(n), told(n), sent(n);
  std::vector<vertex> parent(n);
  ++loops;
#pragma omp parallel for schedule(runtime)
  for (vertex v = 0; v < n; ++v) {
    distance[v] = told[v] = v == root ? 0 : far;
    parent[v] = v == root ? root : nobody;
  }
  flag changed;
  std::uint64_t rounds = 0;
  do {
    ++loops;
#pragma omp parallel for schedule(runtime)
    for (vertex v = 0; v < n; ++v) {
      sent[v] = distance[v];
      if (distance[v] == far) continue;
      for (std::uint64_t k = first[v]; k < first[v + std::size_t{1}]; ++k)
        lower(told[to[k]], static_cast<std::uint32_t>(sent[v] + length_of(v, to[k])));
    }
    ++loops;
#pragma omp parallel for schedule(runtime)
    for (vertex v = 0; v < n; ++v) {
      if (told[v] >= distance[v]) continue;
      distance[v] = told[v];
      for (std::uint64_t k = first[v]; k < first[v + std::size_t{1}]; ++k) {
        const vertex u = to[k];
        if (sent[u] == far || sent[u] + length_of(u, v) != told[v]) continue;
        parent[v] = u;
        break;
      }
      changed.raise();
    }
    ++rounds;
  } while (changed.take());
  outcome found{std::vector<std::uint64_t>(n), rounds};
  for (vertex v = 0; v < n; ++v) found.values[v] = std::uint64_t{distance[v]} << 32 | parent[v];
  return found;
}

}  // namespace cows::plain
