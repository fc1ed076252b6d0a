// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdio>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "datasets.hpp"
#include "graph_file.hpp"
#include "network.hpp"
#include "order.hpp"

namespace cows {
namespace {

csr made(const char* name, unsigned divisor) {
  return graph::build(generate(find_dataset(name), divisor), graph::direction::both);
}

void expect_near(std::uint64_t found, std::uint64_t wanted, const char* what) {
  EXPECT_NEAR(static_cast<double>(found), static_cast<double>(wanted), 0.1 * static_cast<double>(wanted)) << what;
}

class power_law_graph : public ::testing::TestWithParam<const char*> {};

TEST_P(power_law_graph, has_the_figures_of_its_data_set_within_10_percent) {
  constexpr unsigned divisor = 32;
  const auto& given = find_dataset(GetParam());
  const csr graph = made(GetParam(), divisor);
  expect_near(graph.vertex_count(), given.size.vertices / divisor, "vertices");
  expect_near(graph.edge_count() / 2, given.size.edges / divisor, "edges");
  expect_near(graph.degree(root_of(graph)), scaled(given, divisor).most, "maximum degree");
}

/// Edges cost minutes at full size; degrees do not.
TEST_P(power_law_graph, has_degrees_of_its_data_set_at_full_size) {
  const auto& size = find_dataset(GetParam()).size;
  const auto degrees = power_law_degrees(size);
  EXPECT_EQ(degrees.size(), size.vertices);
  expect_near(std::accumulate(degrees.begin(), degrees.end(), std::uint64_t{0}) / 2, size.edges, "edges");
  expect_near(*std::max_element(degrees.begin(), degrees.end()), size.most, "maximum degree");
  EXPECT_GE(*std::min_element(degrees.begin(), degrees.end()), 1u);
}

TEST_P(power_law_graph, is_the_same_each_time) {
  EXPECT_EQ(made(GetParam(), 256).neighbour, made(GetParam(), 256).neighbour);
}

INSTANTIATE_TEST_SUITE_P(cows, power_law_graph, ::testing::Values("youtube", "livejournal", "orkut"));

TEST(cows_scaled, keeps_the_maximum_degree_until_it_is_half_of_the_vertices) {
  const auto& given = find_dataset("youtube");
  EXPECT_EQ(scaled(given, 8).most, given.size.most);
  EXPECT_EQ(scaled(given, 100).most, 11300u / 2);
}

TEST(cows_road_graph, has_as_many_vertices_and_edges_as_its_data_set_and_no_hubs) {
  for (const char* name : {"road-ca", "road-pa"}) {
    const csr graph = made(name, 32);
    const auto size = scaled(find_dataset(name), 32);
    expect_near(graph.vertex_count(), size.vertices, name);
    expect_near(graph.edge_count() / 2, size.edges, name);
    EXPECT_LE(graph.degree(root_of(graph)), 8u);
  }
}

std::vector<std::uint64_t> degrees_of(const csr& graph) {
  std::vector<std::uint64_t> degrees(graph.vertex_count());
  for (vertex v = 0; v < graph.vertex_count(); ++v) degrees[v] = graph.degree(v);
  return degrees;
}

class ordered_graph : public ::testing::TestWithParam<const char*> {};

TEST_P(ordered_graph, has_the_same_degrees_and_every_edge_both_ways) {
  const csr before = made("youtube", 512);
  const csr after = reordered(before, GetParam());
  auto expected = degrees_of(before), found = degrees_of(after);
  std::sort(expected.begin(), expected.end());
  std::sort(found.begin(), found.end());
  EXPECT_EQ(expected, found);
  for (vertex v = 0; v < after.vertex_count(); ++v) {
    const auto near = after.neighbours(v);
    ASSERT_TRUE(std::is_sorted(near.begin(), near.end()));
    for (const vertex u : near) {
      const auto back = after.neighbours(u);
      ASSERT_TRUE(std::binary_search(back.begin(), back.end(), v));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(cows, ordered_graph, ::testing::Values("given", "random", "degree", "levels"));

TEST(cows_order, by_degree_begins_with_the_hubs_and_random_spreads_them) {
  const csr graph = made("youtube", 64);
  const auto sorted = degrees_of(reordered(graph, "degree"));
  EXPECT_TRUE(std::is_sorted(sorted.rbegin(), sorted.rend()));
  const auto spread = degrees_of(reordered(graph, "random"));
  const auto half = spread.begin() + static_cast<std::ptrdiff_t>(spread.size() / 2);
  const auto all = static_cast<double>(graph.edge_count());
  EXPECT_NEAR(static_cast<double>(std::accumulate(spread.begin(), half, std::uint64_t{0})) / all, 0.5, 0.2);
}

TEST(cows_graph_file, gives_back_what_was_written) {
  const std::string path = ::testing::TempDir() + "cows_graph_file.graph";
  const named_graph given{"road-pa/512", made("road-pa", 512)};
  write_graph(path, given);
  const auto found = read_graph(path);
  EXPECT_EQ(found.name, given.name);
  EXPECT_EQ(found.graph.offset, given.graph.offset);
  EXPECT_EQ(found.graph.neighbour, given.graph.neighbour);
  std::remove(path.c_str());
}

}  // namespace
}  // namespace cows
