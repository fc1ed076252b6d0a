// SPDX-License-Identifier: Apache-2.0
// A triangle mesh in the plane and what the kernels derive from it. Half-edge 3t+k of triangle t goes from its corner k
// to its corner k+1.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "mesh/quality.hpp"

namespace idws {

using triangle = std::array<int, 3>;

struct triangle_mesh {
  std::string name;  ///< its file, if it has one
  std::vector<point> points;
  std::vector<triangle> triangles;  ///< counter-clockwise

  [[nodiscard]] std::array<point, 3> corners(const triangle& t) const { return {at(t[0]), at(t[1]), at(t[2])}; }
  [[nodiscard]] point at(int vertex) const { return points[static_cast<std::size_t>(vertex)]; }
};

/// Lists of whole numbers, one behind the other.
struct lists {
  std::vector<int> first{0};
  std::vector<int> items;

  [[nodiscard]] std::span<const int> of(int k) const {
    const auto begin = static_cast<std::size_t>(first[static_cast<std::size_t>(k)]);
    return std::span(items).subspan(begin, static_cast<std::size_t>(first[static_cast<std::size_t>(k) + 1]) - begin);
  }
  [[nodiscard]] int count() const { return static_cast<int>(first.size()) - 1; }
  void close() { first.push_back(static_cast<int>(items.size())); }
};

constexpr int next_in_triangle(int half) { return half % 3 == 2 ? half - 2 : half + 1; }

/// Triangles around each vertex, ascending.
lists triangles_around(const triangle_mesh& mesh);

/// The half-edge on the other side of each, -1 on the boundary. Throws graph::input_error when more than two triangles
/// share an edge, or two lie on the same side of it.
std::vector<int> twins_of(const triangle_mesh& mesh, const lists& around);

/// Vertices joined with each by an edge, ascending.
lists neighbours_of(const triangle_mesh& mesh, const lists& around);

/// Whether a vertex lies on the boundary.
std::vector<char> boundary_of(const triangle_mesh& mesh, const std::vector<int>& twins);

/// Vertices by colour, ascending; no two of a colour are neighbours. Greedy, in the order of the vertices.
lists colours_of(const lists& neighbours);

/// Turns clockwise triangles round and drops vertices without triangles. Throws graph::input_error when a triangle has
/// no area or there is none.
void tidy(triangle_mesh& mesh);

/// What is wrong with triangles that were made of those of `mesh`: nullptr when each is counter-clockwise and together
/// they have its area. Triangles with two corners alike do not count.
const char* flaw_of(const std::vector<point>& points, const std::vector<triangle>& triangles,
                    const triangle_mesh& mesh);

/// Numbers of the mesh for the first line of output.
void print_mesh(const char* kernel, const triangle_mesh& mesh);

}  // namespace idws
