// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "edge_list.hpp"

namespace graph {

// An edge list as the SNAP collection publishes it: "FROM TO" a line, comments start with # (or %).
edge_list read_snap(const std::string& name);

}  // namespace graph
