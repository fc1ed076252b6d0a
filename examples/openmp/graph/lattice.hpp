// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "edge_list.hpp"

namespace graph {

// A road-like graph: a side * side grid of which a fifth of the streets is missing and one crossing
// in twenty has a diagonal. Small degrees, a large diameter.
edge_list lattice(unsigned side);

}  // namespace graph
