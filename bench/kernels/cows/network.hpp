// SPDX-License-Identifier: Apache-2.0
// What the kernels share. They are written as IMSuite's are: rounds of messages between the nodes of a network, each round
// a few loops over all nodes. Every loop is run by `loops`, the policy of a runtime:
//
//   loops.for_each(site, cost, body)   calls body(v) once for each vertex; site: number of the loop in its kernel, from 0
//
// An iteration writes only what belongs to its own vertex, or by operations whose order does not matter, and reads what
// earlier loops wrote; hence results and numbers of rounds are the same under every schedule.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "graph/csr.hpp"
#include "graph/random.hpp"

namespace cows {

using graph::csr;
using graph::vertex;

inline constexpr vertex nobody = ~vertex{0};

// What a kernel found: a value for each vertex.
struct outcome {
  std::vector<std::uint64_t> values;
  std::uint64_t rounds = 0;
};

// Raised by any iteration. It is read first, so that its line stays shared when many raise it.
class flag {
 public:
  void raise() {
    if (!up_.load(std::memory_order_relaxed)) up_.store(true, std::memory_order_relaxed);
  }
  // Whether it was raised since the last call; between loops.
  bool take() { return up_.exchange(false, std::memory_order_relaxed); }

 private:
  alignas(128) std::atomic<bool> up_{false};
};

template <class T>
void lower(T& place, T value) {
  std::atomic_ref<T> shared(place);
  T seen = shared.load(std::memory_order_relaxed);
  while (value < seen && !shared.compare_exchange_weak(seen, value, std::memory_order_relaxed)) {
  }
}

template <class T>
std::vector<std::uint64_t> widened(const std::vector<T>& values) {
  return {values.begin(), values.end()};
}

// The root of searches: of the greatest degree, the first of those. It lies in the largest component in all likelihood.
inline vertex root_of(const csr& graph) {
  vertex best = 0;
  for (vertex v = 1; v < graph.vertex_count(); ++v) {
    if (graph.degree(v) > graph.degree(best)) best = v;
  }
  return best;
}

// Length of an edge, 1 … 15, the same from both ends.
inline std::uint64_t length_of(vertex u, vertex v) {
  const std::uint64_t low = u < v ? u : v;
  return 1 + graph::random_bits(low << 32 | (u < v ? v : u)) % 15;
}

}  // namespace cows
