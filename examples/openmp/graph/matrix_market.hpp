// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "edge_list.hpp"

namespace graph {

// A sparse matrix in Matrix Market coordinate form (pattern, real or integer; general or symmetric)
// as a graph: entry (i, j) is the edge i -> j, its value does not matter.
edge_list read_matrix_market(const std::string& name);

}  // namespace graph
