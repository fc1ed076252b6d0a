// SPDX-License-Identifier: Apache-2.0
#include "serial_bfs.hpp"

namespace graph {

std::vector<std::int32_t> serial_bfs(const csr& graph, vertex source) {
  std::vector<std::int32_t> depth(graph.vertex_count(), unreached);
  std::vector<vertex> queue{source};
  depth[source] = 0;
  for (std::size_t head = 0; head < queue.size(); ++head) {
    const vertex v = queue[head];
    for (const vertex u : graph.neighbours(v)) {
      if (depth[u] != unreached) continue;
      depth[u] = depth[v] + 1;
      queue.push_back(u);
    }
  }
  return depth;
}

}  // namespace graph
