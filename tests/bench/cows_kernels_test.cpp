// SPDX-License-Identifier: Apache-2.0
// The kernels' serial results, held against what they are by definition.
#include <bit>
#include <functional>
#include <map>
#include <numeric>
#include <queue>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "datasets.hpp"
#include "graph/lattice.hpp"
#include "kernels.hpp"
#include "serial.hpp"

namespace cows {
namespace {

struct counting_loops : serial_loops {
  using serial_loops::serial_loops;
  template <class Cost, class Body>
  void for_each(unsigned site, const Cost& cost, Body&& body) {
    sites.insert(site);
    if constexpr (std::is_same_v<Cost, cost::equal>) uniform.insert(site);
    serial_loops::for_each(site, cost, body);
  }
  std::set<unsigned> sites, uniform;
};

csr power_law() { return graph::build(generate(find_dataset("youtube"), 512), graph::direction::both); }
csr road() { return graph::build(graph::lattice(30), graph::direction::both); }

outcome result_of(const char* name, const csr& graph) {
  serial_loops loops(graph);
  return find_kernel<serial_loops>(name).run(graph, loops);
}

/// Distances by a queue ordered by them; `length` of an edge.
std::vector<std::uint64_t> distances(const csr& graph, vertex root,
                                     const std::function<std::uint64_t(vertex, vertex)>& length) {
  std::vector<std::uint64_t> distance(graph.vertex_count(), nobody);
  using entry = std::pair<std::uint64_t, vertex>;
  std::priority_queue<entry, std::vector<entry>, std::greater<>> open;
  open.push({distance[root] = 0, root});
  while (!open.empty()) {
    const auto [at, v] = open.top();
    open.pop();
    if (at != distance[v]) continue;
    for (const vertex u : graph.neighbours(v)) {
      if (at + length(v, u) < distance[u]) open.push({distance[u] = at + length(v, u), u});
    }
  }
  return distance;
}

std::uint64_t one(vertex, vertex) { return 1; }

class cows_kernel : public ::testing::TestWithParam<csr (*)()> {
 protected:
  const csr graph = GetParam()();
};

TEST_P(cows_kernel, has_as_many_loops_as_in_the_paper_and_as_many_uniform_ones) {
  const std::map<std::string_view, std::size_t> uniform{{"kc", 2}, {"le", 2}, {"bfs", 1}, {"bf", 1},
                                                        {"ds", 4}, {"pr", 1}, {"cc", 1}};
  for (const auto& kernel : kernels<counting_loops>) {
    counting_loops loops(graph);
    kernel.run(graph, loops);
    EXPECT_EQ(loops.sites.size(), kernel.sites) << kernel.name;
    EXPECT_EQ(*loops.sites.rbegin() + 1, kernel.sites) << kernel.name;
    EXPECT_EQ(loops.uniform.size(), uniform.at(kernel.name)) << kernel.name;
  }
}

TEST_P(cows_kernel, bfs_finds_the_number_of_steps) {
  EXPECT_EQ(result_of("bfs", graph).values, distances(graph, root_of(graph), one));
}

TEST_P(cows_kernel, bf_finds_the_shortest_ways) {
  const auto expected = distances(graph, root_of(graph), length_of);
  const auto found = result_of("bf", graph).values;
  for (vertex v = 0; v < graph.vertex_count(); ++v) {
    const auto parent = static_cast<vertex>(found[v]);
    ASSERT_EQ(found[v] >> 32, expected[v]) << v;
    if (v == root_of(graph) || expected[v] == nobody) continue;
    ASSERT_EQ(expected[parent] + length_of(parent, v), expected[v]) << v;
  }
}

/// The least vertex of each one's component.
std::vector<std::uint64_t> least_of_component(const csr& graph) {
  std::vector<std::uint64_t> least(graph.vertex_count(), nobody);
  for (vertex v = 0; v < graph.vertex_count(); ++v) {
    if (least[v] != nobody) continue;
    const auto from = distances(graph, v, one);
    for (vertex u = 0; u < graph.vertex_count(); ++u) {
      if (from[u] != nobody) least[u] = v;
    }
  }
  return least;
}

TEST_P(cows_kernel, cc_finds_the_components_and_le_their_greatest_vertices) {
  const auto least = least_of_component(graph);
  EXPECT_EQ(result_of("cc", graph).values, least);
  std::vector<std::uint64_t> greatest(graph.vertex_count());
  for (vertex v = 0; v < graph.vertex_count(); ++v) greatest[least[v]] = v;
  for (vertex v = 0; v < graph.vertex_count(); ++v) greatest[v] = greatest[least[v]];
  EXPECT_EQ(result_of("le", graph).values, greatest);
}

TEST_P(cows_kernel, ds_dominates_with_few) {
  const auto in_set = result_of("ds", graph).values;
  for (vertex v = 0; v < graph.vertex_count(); ++v) {
    bool covered = in_set[v] != 0;
    for (const vertex u : graph.neighbours(v)) covered |= in_set[u] != 0;
    ASSERT_TRUE(covered) << v;
  }
  EXPECT_LT(std::accumulate(in_set.begin(), in_set.end(), std::uint64_t{0}), graph.vertex_count() / 2);
}

TEST_P(cows_kernel, kc_groups_nodes_that_are_near) {
  constexpr auto radius = committees<serial_loops>::K / 2;
  const auto leader = result_of("kc", graph).values;
  std::map<vertex, std::vector<std::uint64_t>> from;
  for (vertex v = 0; v < graph.vertex_count(); ++v) {
    ASSERT_LT(leader[v], graph.vertex_count());
    if (leader[v] == v || from.size() > 200) continue;
    auto [known, added] = from.try_emplace(static_cast<vertex>(leader[v]));
    if (added) known->second = distances(graph, known->first, one);
    ASSERT_LE(known->second[v], radius) << v;
  }
  EXPECT_FALSE(from.empty());
}

TEST_P(cows_kernel, pr_ranks_sum_to_one_and_solve_the_equation) {
  const auto bits = result_of("pr", graph).values;
  const auto rank = [&](vertex v) { return std::bit_cast<double>(bits[v]); };
  const double mean = 1.0 / graph.vertex_count();
  double largest_error = 0;
  for (vertex v = 0; v < graph.vertex_count(); ++v) {
    double sum = 0;
    for (const vertex u : graph.neighbours(v)) sum += rank(u) / static_cast<double>(graph.degree(u));
    largest_error = std::max(largest_error, std::abs(0.15 * mean + 0.85 * sum - rank(v)));
  }
  EXPECT_LT(largest_error, mean / 1000);
}

INSTANTIATE_TEST_SUITE_P(on, cows_kernel, ::testing::Values(power_law, road));

}  // namespace
}  // namespace cows
