// SPDX-License-Identifier: Apache-2.0
#include "snap.hpp"

#include "input_error.hpp"
#include "text_file.hpp"

namespace graph {

edge_list read_snap(const std::string& name) {
  text_file file(name);
  edge_list list;
  list.name = name;
  while (file.next_line()) {
    if (file.is_blank() || file.line().front() == '#' || file.line().front() == '%') continue;
    const auto from = static_cast<vertex>(file.number("vertex id", 0, id_limit));
    const auto to = static_cast<vertex>(file.number("vertex id", 0, id_limit));
    file.expect_end("an edge is two ids; keep the first two columns (awk '{print $1, $2}')");
    list.edges.push_back({from, to});
  }
  if (list.edges.empty()) throw input_error(name + ": has no edges: give a file with one edge 'FROM TO' a line");
  renumber(list);
  return list;
}

}  // namespace graph
