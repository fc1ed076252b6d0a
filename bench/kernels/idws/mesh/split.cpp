// SPDX-License-Identifier: Apache-2.0
#include "mesh/split.hpp"

#include <algorithm>

namespace idws {

namespace {

double worst(const std::vector<point>& points, const triangle& s, const triangle& t) {
  const auto of = [&](const triangle& one) {
    return quality(points[static_cast<std::size_t>(one[0])], points[static_cast<std::size_t>(one[1])],
                   points[static_cast<std::size_t>(one[2])]);
  };
  return std::min(of(s), of(t));
}

}  // namespace

splitter::splitter(const triangle_mesh& mesh) : mesh_(&mesh), edges_of_(mesh.triangles.size()) {
  const std::vector<int> twins = twins_of(mesh, triangles_around(mesh));
  for (std::size_t half = 0; half < twins.size(); ++half) {
    const int twin = twins[half];
    if (twin >= 0 && static_cast<std::size_t>(twin) < half) {
      edges_of_[half / 3][half % 3] = edges_of_[static_cast<std::size_t>(twin) / 3][static_cast<std::size_t>(twin) % 3];
      continue;
    }
    edges_of_[half / 3][half % 3] = edges_.size();
    edges_.push_back({mesh.triangles[half / 3][half % 3], mesh.triangles[half / 3][(half + 1) % 3]});
  }
  marked_.resize(edges_.size());
  vertex_.resize(edges_.size());
  children_.resize(mesh.triangles.size());
  slot_.resize(mesh.triangles.size());
}

void splitter::number_vertices() {
  auto next = static_cast<int>(mesh_->points.size());
  for (std::size_t e = 0; e < edges_.size(); ++e) {
    vertex_[e] = next;
    next += marked_[e];
  }
  points_.assign(mesh_->points.begin(), mesh_->points.end());
  points_.resize(static_cast<std::size_t>(next));
}

void splitter::number_triangles() {
  int next = 0;
  for (std::size_t t = 0; t < slot_.size(); ++t) {
    slot_[t] = next;
    next += children_[t];
  }
  triangles_.assign(static_cast<std::size_t>(next), triangle{});
}

void splitter::split(std::size_t t) {
  const auto& edges = edges_of_[t];
  const int marks = marked_[edges[0]] + marked_[edges[1]] + marked_[edges[2]];
  // Turned so that with one mark it is at edge ab, with two at ab and bc.
  std::size_t turn = 0;
  while ((marks == 1 && marked_[edges[turn]] == 0) || (marks == 2 && marked_[edges[(turn + 2) % 3]] != 0)) ++turn;
  const triangle& corners = mesh_->triangles[t];
  const int a = corners[turn];
  const int b = corners[(turn + 1) % 3];
  const int c = corners[(turn + 2) % 3];
  const int ab = vertex_[edges[turn]];
  const int bc = vertex_[edges[(turn + 1) % 3]];
  const int ca = vertex_[edges[(turn + 2) % 3]];
  triangle* const out = triangles_.data() + slot_[t];
  switch (marks) {
    case 0:
      out[0] = {a, b, c};
      return;
    case 1:
      out[0] = {a, ab, c}, out[1] = {ab, b, c};
      return;
    case 2: {
      out[0] = {ab, b, bc}, out[1] = {a, ab, bc}, out[2] = {a, bc, c};
      const triangle other[] = {{a, ab, c}, {ab, bc, c}};
      if (worst(points_, other[0], other[1]) > worst(points_, out[1], out[2])) std::copy(other, other + 2, out + 1);
      return;
    }
    default:
      out[0] = {a, ab, ca}, out[1] = {ab, b, bc}, out[2] = {ca, bc, c}, out[3] = {ca, ab, bc};
  }
}

}  // namespace idws
