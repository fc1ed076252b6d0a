// SPDX-License-Identifier: Apache-2.0
#include "mesh/mesh.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

#include "graph/input_error.hpp"

namespace idws {

namespace {

std::size_t index(int i) { return static_cast<std::size_t>(i); }

int corner(const triangle_mesh& mesh, int half) { return mesh.triangles[index(half / 3)][index(half % 3)]; }

/// The half-edge of triangle t that starts at `from`.
int half_from(const triangle_mesh& mesh, int t, int from) {
  const triangle& corners = mesh.triangles[index(t)];
  return 3 * t + static_cast<int>(std::find(corners.begin(), corners.end(), from) - corners.begin());
}

std::string text_of(point p) { return "(" + std::to_string(p.x) + ", " + std::to_string(p.y) + ")"; }

[[noreturn]] void refuse_edge(const triangle_mesh& mesh, int a, int b) {
  throw graph::input_error(mesh.name + ": triangles overlap at the edge from " + text_of(mesh.at(a)) + " to " +
                           text_of(mesh.at(b)) + ": give a mesh of a plane domain");
}

int twin_of(const triangle_mesh& mesh, const lists& around, int half) {
  const int a = corner(mesh, half);
  const int b = corner(mesh, next_in_triangle(half));
  int twin = -1;
  for (const int t : around.of(b)) {
    const int other = half_from(mesh, t, b);
    if (corner(mesh, next_in_triangle(other)) != a) continue;
    if (twin >= 0) refuse_edge(mesh, a, b);
    twin = other;
  }
  for (const int t : around.of(a)) {
    const int other = half_from(mesh, t, a);
    if (other != half && corner(mesh, next_in_triangle(other)) == b) refuse_edge(mesh, a, b);
  }
  return twin;
}

}  // namespace

lists triangles_around(const triangle_mesh& mesh) {
  lists around;
  around.first.assign(mesh.points.size() + 1, 0);
  for (const triangle& t : mesh.triangles) {
    for (const int v : t) ++around.first[index(v) + 1];
  }
  for (std::size_t v = 1; v < around.first.size(); ++v) around.first[v] += around.first[v - 1];
  around.items.resize(3 * mesh.triangles.size());
  std::vector<int> behind(around.first.begin(), around.first.end() - 1);
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    for (const int v : mesh.triangles[t]) around.items[index(behind[index(v)]++)] = static_cast<int>(t);
  }
  return around;
}

std::vector<int> twins_of(const triangle_mesh& mesh, const lists& around) {
  std::vector<int> twins(3 * mesh.triangles.size());
  for (std::size_t half = 0; half < twins.size(); ++half) twins[half] = twin_of(mesh, around, static_cast<int>(half));
  return twins;
}

lists neighbours_of(const triangle_mesh& mesh, const lists& around) {
  lists neighbours;
  neighbours.items.reserve(7 * mesh.points.size());
  std::vector<int> ring;
  for (int v = 0; v < around.count(); ++v) {
    ring.clear();
    for (const int t : around.of(v)) {
      for (const int u : mesh.triangles[index(t)]) {
        if (u != v) ring.push_back(u);
      }
    }
    std::sort(ring.begin(), ring.end());
    ring.erase(std::unique(ring.begin(), ring.end()), ring.end());
    neighbours.items.insert(neighbours.items.end(), ring.begin(), ring.end());
    neighbours.close();
  }
  return neighbours;
}

std::vector<char> boundary_of(const triangle_mesh& mesh, const std::vector<int>& twins) {
  std::vector<char> boundary(mesh.points.size(), 0);
  for (std::size_t half = 0; half < twins.size(); ++half) {
    if (twins[half] >= 0) continue;
    boundary[index(corner(mesh, static_cast<int>(half)))] = 1;
    boundary[index(corner(mesh, next_in_triangle(static_cast<int>(half))))] = 1;
  }
  return boundary;
}

lists colours_of(const lists& neighbours) {
  std::vector<std::vector<int>> members;
  std::vector<int> colour(index(neighbours.count()), -1);
  std::vector<int> last_seen;  // by colour: the last vertex that has a neighbour of it
  for (int v = 0; v < neighbours.count(); ++v) {
    for (const int u : neighbours.of(v)) {
      if (colour[index(u)] >= 0) last_seen[index(colour[index(u)])] = v;
    }
    const auto free = std::find_if(last_seen.begin(), last_seen.end(), [v](int seen) { return seen != v; });
    const auto chosen = static_cast<std::size_t>(free - last_seen.begin());
    if (chosen == members.size()) {
      members.emplace_back();
      last_seen.push_back(-1);
    }
    members[chosen].push_back(v);
    colour[index(v)] = static_cast<int>(chosen);
  }
  lists by_colour;
  for (const auto& of_one : members) {
    by_colour.items.insert(by_colour.items.end(), of_one.begin(), of_one.end());
    by_colour.close();
  }
  return by_colour;
}

void tidy(triangle_mesh& mesh) {
  if (mesh.triangles.empty()) throw graph::input_error(mesh.name + ": has no triangles: mesh the surface (gmsh -2)");
  std::vector<int> number(mesh.points.size(), -1);
  std::vector<point> used;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    triangle& corners = mesh.triangles[t];
    const auto [a, b, c] = mesh.corners(corners);
    const double area = twice_area(a, b, c);
    if (area == 0) throw graph::input_error(mesh.name + ": triangle " + std::to_string(t + 1) + " has no area");
    if (area < 0) std::swap(corners[1], corners[2]);
  }
  for (triangle& corners : mesh.triangles) {
    for (int& v : corners) {
      int& its = number[index(v)];
      if (its < 0) {
        its = static_cast<int>(used.size());
        used.push_back(mesh.at(v));
      }
      v = its;
    }
  }
  mesh.points = std::move(used);
}

const char* flaw_of(const std::vector<point>& points, const std::vector<triangle>& triangles,
                    const triangle_mesh& mesh) {
  const auto area_of = [](const std::vector<point>& at, const triangle& t) {
    return twice_area(at[index(t[0])], at[index(t[1])], at[index(t[2])]);
  };
  double area = 0;
  for (const triangle& t : triangles) {
    if (t[0] == t[1] || t[1] == t[2] || t[2] == t[0]) continue;
    const double own = area_of(points, t);
    if (!(own > 0)) return "a triangle is turned inside out";
    area += own;
  }
  double expected = 0;
  for (const triangle& t : mesh.triangles) expected += area_of(mesh.points, t);
  return std::abs(area - expected) > 1e-9 * expected ? "the area of the mesh has changed" : nullptr;
}

void print_mesh(const char* kernel, const triangle_mesh& mesh) {
  const std::string name = mesh.name.substr(mesh.name.find_last_of('/') + 1);
  std::printf("%s %s: %zu vertices, %zu triangles\n", kernel, name.c_str(), mesh.points.size(), mesh.triangles.size());
}

}  // namespace idws
