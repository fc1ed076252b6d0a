// SPDX-License-Identifier: Apache-2.0
#include "lattice.hpp"

#include "random.hpp"

namespace graph {

namespace {

// One of three independent draws of a crossing, true in `percent` of all cases.
bool chance(vertex crossing, unsigned which, unsigned percent) {
  return random_bits(std::uint64_t{crossing} * 4 + which) % 100 < percent;
}

}  // namespace

edge_list lattice(unsigned side) {
  edge_list list;
  list.name = "--lattice " + std::to_string(side);
  list.vertices = side * side;
  require_memory(list.name, list.vertices, std::uint64_t{list.vertices} * 2);
  for (unsigned row = 0; row < side; ++row) {
    for (unsigned column = 0; column < side; ++column) {
      const vertex here = row * side + column;
      const bool east = column + 1 < side;
      const bool south = row + 1 < side;
      if (east && chance(here, 0, 80)) list.edges.push_back({here, here + 1});
      if (south && chance(here, 1, 80)) list.edges.push_back({here, here + side});
      if (east && south && chance(here, 2, 5)) list.edges.push_back({here, here + side + 1});
    }
  }
  return list;
}

}  // namespace graph
