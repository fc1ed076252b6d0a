// SPDX-License-Identifier: Apache-2.0
#include "rmat.hpp"

#include "random.hpp"

namespace graph {

namespace {

// Upper ends of the first three quadrants in units of 2^-32.
constexpr std::uint64_t unit = std::uint64_t{1} << 32;
constexpr std::uint64_t quadrant_a = unit * 57 / 100;
constexpr std::uint64_t quadrant_b = unit * 76 / 100;
constexpr std::uint64_t quadrant_c = unit * 95 / 100;

// One descent through the matrix, two levels for each 64 random bits.
edge draw(std::uint64_t index, unsigned scale) {
  edge e{0, 0};
  std::uint64_t bits = 0;
  for (unsigned level = 0; level < scale; ++level) {
    bits = level % 2 == 0 ? random_bits(index * 16 + level / 2) : bits >> 32;
    const std::uint64_t x = bits % unit;
    const bool lower = x >= quadrant_b;
    const bool right = lower ? x >= quadrant_c : x >= quadrant_a;
    e = {e.from * 2 + (lower ? 1u : 0u), e.to * 2 + (right ? 1u : 0u)};
  }
  return e;
}

}  // namespace

edge_list rmat(unsigned scale, unsigned edge_factor) {
  edge_list list;
  list.name = "--rmat " + std::to_string(scale) + "," + std::to_string(edge_factor);
  list.vertices = vertex{1} << scale;
  const std::uint64_t count = std::uint64_t{list.vertices} * edge_factor;
  require_memory(list.name, list.vertices, count);
  list.edges.resize(count);
#pragma omp parallel for
  for (std::uint64_t i = 0; i < count; ++i) list.edges[i] = draw(i, scale);
  return list;
}

}  // namespace graph
