// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "network.hpp"

namespace cows {

// One iteration after the other.
class serial_loops {
 public:
  explicit serial_loops(const csr& graph) : n_(graph.vertex_count()) {}

  template <class Cost, class Body>
  void for_each(unsigned, const Cost&, Body&& body) {
    ++count;
    for (vertex v = 0; v < n_; ++v) body(v);
  }

  std::uint64_t count = 0;  // loops run

 private:
  vertex n_;
};

}  // namespace cows
