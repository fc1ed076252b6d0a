// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "csr.hpp"

namespace graph {

inline constexpr std::int32_t unreached = -1;

// The number of steps from source to every vertex, by a queue: what parallel searches are checked against.
std::vector<std::int32_t> serial_bfs(const csr& graph, vertex source);

}  // namespace graph
