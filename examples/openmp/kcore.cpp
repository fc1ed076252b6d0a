// SPDX-License-Identifier: Apache-2.0
// Core numbers by peeling: for k = 0, 1, ... remove the vertices that have at most k neighbours left, and those that
// come to have k by it, until none is left. Many short loops, each over a frontier of very different degrees.
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <numeric>
#include <vector>

#include "graph/csr.hpp"
#include "graph/measure.hpp"

namespace {

using graph::csr;
using graph::vertex;

using cores = std::vector<vertex>;
using frontier = std::vector<vertex>;

constexpr vertex not_removed = ~vertex{0};

// Most frontiers hold a handful of vertices, for which waking the team costs more than it saves.
constexpr std::size_t worth_a_team = 64;

std::vector<vertex> degrees(const csr& g) {
  std::vector<vertex> left(g.vertex_count());
  for (vertex v = 0; v < g.vertex_count(); ++v) left[v] = static_cast<vertex>(g.degree(v));
  return left;
}

// Takes those with at most k neighbours left out of the vertices that remain. Serial: over all k it looks at each vertex
// once per core number, and a team woken for every k would cost more.
frontier take_vertices_with(vertex k, const std::vector<vertex>& left, const cores& core, frontier& remaining) {
  frontier taken;
  std::erase_if(remaining, [&](vertex v) {
    if (core[v] == not_removed && left[v] <= k) taken.push_back(v);
    return left[v] <= k;
  });
  return taken;
}

// Takes one neighbour away, but never below k. True for the one thread that brings the vertex down to k.
bool reduces_to(vertex& cell, vertex k) {
  std::atomic_ref<vertex> left(cell);
  vertex seen = left.load(std::memory_order_relaxed);
  while (seen > k)
    if (left.compare_exchange_weak(seen, seen - 1, std::memory_order_relaxed)) return seen == k + 1;
  return false;
}

frontier remove(const csr& g, const frontier& current, vertex k, std::vector<vertex>& left, cores& core) {
  frontier next;
#pragma omp parallel if (current.size() > worth_a_team)
  {
    frontier found;
#pragma omp for schedule(runtime) nowait
    for (std::size_t i = 0; i < current.size(); ++i) {
      core[current[i]] = k;
      for (const vertex u : g.neighbours(current[i]))
        if (reduces_to(left[u], k)) found.push_back(u);
    }
#pragma omp critical
    next.insert(next.end(), found.begin(), found.end());
  }
  return next;
}

cores core_numbers(const csr& g) {
  cores core(g.vertex_count(), not_removed);
  std::vector<vertex> left = degrees(g);
  frontier remaining(g.vertex_count());
  std::iota(remaining.begin(), remaining.end(), vertex{0});
  for (vertex k = 0; !remaining.empty(); ++k) {
    frontier current = take_vertices_with(k, left, core, remaining);
    while (!current.empty()) current = remove(g, current, k, left, core);
  }
  return core;
}

// One vertex at a time, always one of smallest degree, from buckets by degree. An entry that no longer matches its
// vertex's degree is out of date and skipped.
cores serial_core_numbers(const csr& g) {
  cores core(g.vertex_count(), not_removed);
  std::vector<vertex> left = degrees(g);
  std::vector<std::vector<vertex>> bucket(*std::max_element(left.begin(), left.end()) + std::size_t{1});
  for (vertex v = 0; v < g.vertex_count(); ++v) bucket[left[v]].push_back(v);
  for (vertex k = 0; k < bucket.size(); ++k) {
    while (!bucket[k].empty()) {
      const vertex v = bucket[k].back();
      bucket[k].pop_back();
      if (core[v] != not_removed || left[v] != k) continue;
      core[v] = k;
      for (const vertex u : g.neighbours(v))
        if (left[u] > k) bucket[--left[u]].push_back(u);
    }
  }
  return core;
}

int run(int argc, char** argv) {
  graph::program program;
  program.default_rmat = "17,16";
  program.parse(argc, argv, "core numbers by peeling; schedule(runtime)");
  const graph::edge_list list = program.load();
  const csr g = graph::build(list, graph::direction::both);
  std::printf("kcore %s: %u vertices, %zu edges\n", list.name.c_str(), g.vertex_count(), g.neighbour.size() / 2);

  return graph::measure(
      program, [&] { return core_numbers(g); },
      [](const cores& core) { std::printf("largest core number %u\n", *std::max_element(core.begin(), core.end())); },
      [&] { return serial_core_numbers(g); },
      [](const cores& expected, const cores& result) { return graph::check_equal("core number", expected, result); });
}

}  // namespace

int main(int argc, char** argv) { return graph::guarded(run, argc, argv); }
