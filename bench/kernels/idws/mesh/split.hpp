// SPDX-License-Identifier: Apache-2.0
// Refinement in one pass: edges that are too long are marked, and each triangle is split by the pattern of its marks.
// The slots of new vertices and triangles come from prefix sums, so the result does not depend on the order of
// iterations.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "mesh/mesh.hpp"

namespace idws {

class splitter {
 public:
  explicit splitter(const triangle_mesh& mesh);

  /// The four loops. size(p) is the length wanted at p.
  template <class Loop, class Size>
  void run(Loop& loop, const Size& size) {
    const auto edges = static_cast<std::int64_t>(edges_.size());
    const auto triangles = static_cast<std::int64_t>(mesh_->triangles.size());
    loop(edges, [this, &size](std::int64_t e) { mark(static_cast<std::size_t>(e), size); });
    number_vertices();
    loop(triangles, [this](std::int64_t t) { count(static_cast<std::size_t>(t)); });
    number_triangles();
    loop(edges, [this](std::int64_t e) { place(static_cast<std::size_t>(e)); });
    loop(triangles, [this](std::int64_t t) { split(static_cast<std::size_t>(t)); });
  }

  [[nodiscard]] const std::vector<point>& points() const noexcept { return points_; }
  [[nodiscard]] const std::vector<triangle>& triangles() const noexcept { return triangles_; }

 private:
  struct ends {
    int a;
    int b;
  };

  template <class Size>
  void mark(std::size_t e, const Size& size) {
    const point a = mesh_->at(edges_[e].a);
    const point b = mesh_->at(edges_[e].b);
    const double wanted = size(middle(a, b));
    marked_[e] = squared_distance(a, b) > 2 * wanted * wanted ? 1 : 0;
  }
  void count(std::size_t t) {
    const auto& edges = edges_of_[t];
    children_[t] = 1 + marked_[edges[0]] + marked_[edges[1]] + marked_[edges[2]];
  }
  void place(std::size_t e) {
    if (marked_[e] == 0) return;
    points_[static_cast<std::size_t>(vertex_[e])] = middle(mesh_->at(edges_[e].a), mesh_->at(edges_[e].b));
  }
  void split(std::size_t t);
  void number_vertices();
  void number_triangles();

  const triangle_mesh* mesh_;
  std::vector<ends> edges_;
  std::vector<std::array<std::size_t, 3>> edges_of_;  ///< of a triangle; edge k is its half-edge k
  std::vector<int> marked_;
  std::vector<int> vertex_;  ///< of an edge: where its new vertex goes
  std::vector<int> children_;
  std::vector<int> slot_;  ///< of a triangle: where its children go
  std::vector<point> points_;
  std::vector<triangle> triangles_;
};

}  // namespace idws
