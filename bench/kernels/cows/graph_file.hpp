// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "graph/csr.hpp"

namespace cows {

struct named_graph {
  std::string name;
  graph::csr graph;  // both directions of each edge
};

// A graph as it lies in memory, for the machine that wrote it: a cache. Both throw graph::input_error.
void write_graph(const std::string& path, const named_graph& given);
named_graph read_graph(const std::string& path);

}  // namespace cows
