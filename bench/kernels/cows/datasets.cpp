// SPDX-License-Identifier: Apache-2.0
#include "datasets.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "graph/input_error.hpp"
#include "graph/lattice.hpp"
#include "graph/random.hpp"

namespace cows {

namespace {

graph::edge_list road(const graph_size& size) {
  auto list = graph::lattice(static_cast<unsigned>(std::lround(std::sqrt(static_cast<double>(size.vertices)))));
  const double per_vertex = static_cast<double>(size.edges) / static_cast<double>(size.vertices);
  const double keep = per_vertex * list.vertices / static_cast<double>(list.edges.size());
  constexpr std::uint64_t seed = std::uint64_t{7} << 32;
  constexpr std::uint64_t unit = 1'000'000;
  const auto threshold = static_cast<std::uint64_t>(std::min(keep, 1.0) * unit);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < list.edges.size(); ++i) {
    if (graph::random_bits(seed + i) % unit < threshold) list.edges[kept++] = list.edges[i];
  }
  list.edges.resize(kept);
  return list;
}

}  // namespace

const dataset& find_dataset(std::string_view name) {
  const auto* found =
      std::find_if(std::begin(datasets), std::end(datasets), [&](auto& one) { return one.name == name; });
  if (found != std::end(datasets)) return *found;
  throw graph::input_error("--dataset " + std::string(name) +
                           ": not known; there are youtube, livejournal, orkut, road-ca, road-pa");
}

graph_size scaled(const dataset& of, unsigned divisor) {
  graph_size size{of.size.vertices / divisor, of.size.edges / divisor, of.size.most};
  size.most = std::min(size.most, size.vertices / 2);
  return size;
}

graph::edge_list generate(const dataset& of, unsigned divisor) {
  const graph_size size = scaled(of, divisor);
  graph::require_memory(std::string(of.name), size.vertices, size.edges * 2);
  constexpr std::uint64_t seed = 1;
  auto list = of.road ? road(size) : configuration_model(power_law_degrees(size), seed);
  list.name = std::string(of.name) + (divisor > 1 ? "/" + std::to_string(divisor) : "");
  return list;
}

}  // namespace cows
