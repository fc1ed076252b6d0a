// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "graph/csr.hpp"

namespace cows {

// The graph with its vertices numbered anew: `given` as they are, at `random` (always the same), by `degree` from the
// greatest down, or by `levels`, as a breadth-first search from the greatest degree meets them. Throws graph::input_error.
graph::csr reordered(graph::csr graph, std::string_view order);

}  // namespace cows
