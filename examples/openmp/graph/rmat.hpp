// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "edge_list.hpp"

namespace graph {

// The recursive matrix (Kronecker) graph of 2^scale vertices with the Graph500 probabilities
// .57 .19 .19 .05: a power-law degree distribution. Graph500 shuffles the vertex numbers
// afterwards; this does not, so that the hubs stay together at the low numbers, as the oldest pages
// of a crawl or the first accounts of a network do.
edge_list rmat(unsigned scale, unsigned edge_factor);

}  // namespace graph
