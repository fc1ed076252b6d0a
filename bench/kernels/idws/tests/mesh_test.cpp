// SPDX-License-Identifier: Apache-2.0
#include "mesh/mesh.hpp"

#include <gtest/gtest.h>

#include "mesh/source.hpp"
#include "mesh/split.hpp"
#include "program.hpp"

namespace {

using idws::triangle_mesh;

const triangle_mesh& small() {
  static const triangle_mesh mesh = idws::generate(5000);
  return mesh;
}

const triangle_mesh square{"square", {{0, 0}, {1, 0}, {1, 1}, {0, 1}}, {{0, 1, 2}, {0, 2, 3}}};

TEST(Mesh, TwinsPointAtEachOther) {
  const auto twins = twins_of(square, triangles_around(square));
  EXPECT_EQ(twins, (std::vector<int>{-1, -1, 3, 2, -1, -1}));
}

TEST(Mesh, TheGeneratedOneIsSound) {
  EXPECT_GE(small().triangles.size(), 5000U);
  EXPECT_EQ(flaw_of(small().points, small().triangles, {"", square.points, square.triangles}), nullptr);
  const auto twins = twins_of(small(), triangles_around(small()));
  for (std::size_t half = 0; half < twins.size(); ++half) {
    if (twins[half] < 0) continue;
    EXPECT_EQ(twins[static_cast<std::size_t>(twins[half])], static_cast<int>(half));
  }
}

TEST(Mesh, DisturbedIsSoundAndDifferent) {
  const triangle_mesh moved = idws::disturbed(small());
  EXPECT_EQ(flaw_of(moved.points, moved.triangles, small()), nullptr);
  std::size_t same = 0;
  for (std::size_t v = 0; v < moved.points.size(); ++v) same += moved.points[v].x == small().points[v].x ? 1 : 0;
  EXPECT_LT(same, moved.points.size() / 2);
}

TEST(Mesh, FlawsAreFound) {
  EXPECT_STREQ(idws::flaw_of(square.points, {{0, 1, 2}}, square), "the area of the mesh has changed");
  EXPECT_STREQ(idws::flaw_of(square.points, {{0, 2, 1}, {0, 2, 3}}, square), "a triangle is turned inside out");
}

TEST(Mesh, NeighboursHaveDifferentColours) {
  const auto neighbours = neighbours_of(small(), triangles_around(small()));
  const auto colours = colours_of(neighbours);
  std::vector<int> colour(small().points.size(), -1);
  for (int c = 0; c < colours.count(); ++c) {
    for (const int v : colours.of(c)) colour[static_cast<std::size_t>(v)] = c;
  }
  for (int v = 0; v < neighbours.count(); ++v) {
    EXPECT_GE(colour[static_cast<std::size_t>(v)], 0);
    for (const int u : neighbours.of(v))
      EXPECT_NE(colour[static_cast<std::size_t>(u)], colour[static_cast<std::size_t>(v)]);
  }
}

// Every edge, no edge, and the diagonal alone.
TEST(Split, ByThePatternOfMarks) {
  const struct {
    double wanted;
    std::size_t triangles;
    std::size_t points;
  } cases[] = {{0.1, 8, 9}, {2, 2, 4}, {0.9, 4, 5}};
  for (const auto& one : cases) {
    idws::splitter splitter(square);
    idws::plain_loop loop;
    splitter.run(loop, [&](idws::point) { return one.wanted; });
    EXPECT_EQ(splitter.triangles().size(), one.triangles);
    EXPECT_EQ(splitter.points().size(), one.points);
    EXPECT_EQ(flaw_of(splitter.points(), splitter.triangles(), square), nullptr);
  }
}

}  // namespace
