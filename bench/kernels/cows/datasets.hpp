// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "graph/edge_list.hpp"
#include "power_law.hpp"

namespace cows {

struct dataset {
  std::string_view name;
  graph_size size;
  bool road;
};

// The data sets of the paper: their figures, not their edges.
inline constexpr dataset datasets[] = {
    {"youtube", {1'130'000, 2'980'000, 28'800}, false}, {"livejournal", {4'840'000, 68'990'000, 2'700}, false},
    {"orkut", {3'070'000, 117'180'000, 27'500}, false}, {"road-ca", {1'960'000, 2'760'000, 12}, true},
    {"road-pa", {1'080'000, 1'540'000, 9}, true},
};

// Throws graph::input_error when there is no such data set.
const dataset& find_dataset(std::string_view name);

// Its figures at 1/divisor of its vertices. Edges shrink alike, so the mean degree stays; so does the maximum, hence their
// ratio, but for one that would join a vertex with more than half of all.
graph_size scaled(const dataset& of, unsigned divisor);

// A graph of that size: a power-law graph by the configuration model, or a road-like lattice of about as many vertices
// from which edges are taken at random.
graph::edge_list generate(const dataset& of, unsigned divisor);

}  // namespace cows
