// SPDX-License-Identifier: Apache-2.0
#include "mesh/source.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "cost/distributions.hpp"
#include "mesh/msh_file.hpp"
#include "mesh/sizes.hpp"
#include "mesh/split.hpp"
#include "program.hpp"

namespace idws {

namespace {

using steelyard::cost::uniform_sequence;

constexpr int side = 32;  // of the grid

triangle_mesh shifted_grid() {
  triangle_mesh mesh;
  uniform_sequence next(7);
  const auto shift = [&next](int k) { return k > 0 && k < side ? 0.5 * (next() - 0.5) : 0.0; };
  for (int row = 0; row <= side; ++row) {
    for (int column = 0; column <= side; ++column) {
      mesh.points.push_back({(column + shift(column)) / side, (row + shift(row)) / side});
    }
  }
  for (int row = 0; row < side; ++row) {
    for (int column = 0; column < side; ++column) {
      const int a = row * (side + 1) + column;
      const int b = a + 1;
      const int c = b + side + 1;
      const int d = a + side + 1;
      if (next() < 0.5) {
        mesh.triangles.insert(mesh.triangles.end(), {triangle{a, b, c}, triangle{a, c, d}});
      } else {
        mesh.triangles.insert(mesh.triangles.end(), {triangle{a, b, d}, triangle{b, c, d}});
      }
    }
  }
  return mesh;
}

double worst_around(const triangle_mesh& mesh, const lists& around, int v) {
  double worst = 1;
  for (const int t : around.of(v)) {
    const auto [a, b, c] = mesh.corners(mesh.triangles[static_cast<std::size_t>(t)]);
    worst = std::min(worst, quality(a, b, c));
  }
  return worst;
}

}  // namespace

std::vector<argument> mesh_source::options() {
  return {
      argument_text("--mesh", "FILE", "a triangle mesh as gmsh writes it, text of version 2 or 4.1", &file),
      argument_number("--triangles", "at least so many in the built-in mesh, without --mesh", 1, 20000000, &triangles)};
}

triangle_mesh mesh_source::load() const { return file != nullptr ? read_msh(file) : generate(triangles); }

triangle_mesh generate(long least) {
  triangle_mesh mesh = shifted_grid();
  plain_loop loop;
  front wanted;
  wanted.finest = 0.02;
  wanted.growth = 0.3;
  // The finest length shrinks by a fifth a pass, so that the sizes pass on smoothly from the front.
  while (static_cast<long>(mesh.triangles.size()) < least) {
    splitter pass(mesh);
    pass.run(loop, wanted);
    mesh.points = pass.points();
    mesh.triangles = pass.triangles();
    wanted.finest *= 0.8;
    wanted.growth *= 0.8;
  }
  mesh.name = "built-in mesh";
  return mesh;
}

triangle_mesh disturbed(triangle_mesh mesh) {
  constexpr double reach = 0.45;  // of the shortest edge, at the front
  constexpr double least_quality = 0.1;
  const lists around = triangles_around(mesh);
  const lists neighbours = neighbours_of(mesh, around);
  const std::vector<char> boundary = boundary_of(mesh, twins_of(mesh, around));
  const front near = moved_front(mesh);
  uniform_sequence next(11);
  for (int v = 0; v < neighbours.count(); ++v) {
    const double angle = 6.283185307179586 * next();
    const double part = reach * next();
    if (boundary[static_cast<std::size_t>(v)] != 0) continue;
    const point before = mesh.at(v);
    double shortest = squared_distance(before, mesh.at(neighbours.of(v)[0]));
    for (const int u : neighbours.of(v)) shortest = std::min(shortest, squared_distance(before, mesh.at(u)));
    const double far = part * std::sqrt(shortest) * std::min(1.0, 3 * near.finest / near(before));
    mesh.points[static_cast<std::size_t>(v)] = {before.x + far * std::cos(angle), before.y + far * std::sin(angle)};
    if (worst_around(mesh, around, v) < least_quality) mesh.points[static_cast<std::size_t>(v)] = before;
  }
  return mesh;
}

}  // namespace idws
