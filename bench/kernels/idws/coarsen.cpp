// SPDX-License-Identifier: Apache-2.0
// Coarsening of a mesh behind a front that has moved: each vertex with an edge that is too short inspects its ring for a
// neighbour it may collapse onto; of those that may, the ones of highest rank within two edges collapse together.
#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "main.hpp"
#include "mesh/sizes.hpp"
#include "mesh/source.hpp"

namespace {

using idws::lists;
using idws::point;

constexpr double least_quality = 0.3;  // of the triangles a collapse leaves

std::size_t index(std::int64_t i) { return static_cast<std::size_t>(i); }

class coarsen {
 public:
  explicit coarsen(idws::triangle_mesh mesh)
      : mesh_(std::move(mesh)), around_(triangles_around(mesh_)), neighbours_(neighbours_of(mesh_, around_)),
        boundary_(boundary_of(mesh_, twins_of(mesh_, around_))), wanted_(moved_front(mesh_)),
        target_(mesh_.points.size()), rank_(mesh_.points.size()), highest_(mesh_.points.size()),
        result_(mesh_.triangles.size()) {}

  void reset() {}

  template <class Loop>
  void run(Loop& loop) {
    const auto vertices = static_cast<std::int64_t>(mesh_.points.size());
    const auto triangles = static_cast<std::int64_t>(mesh_.triangles.size());
    loop(vertices, [this](std::int64_t v) { decide(static_cast<int>(v)); });
    loop(vertices, [this](std::int64_t v) { highest_[index(v)] = highest_of(rank_, static_cast<int>(v)); });
    loop(vertices, [this](std::int64_t v) { keep_or_drop(static_cast<int>(v)); });
    loop(triangles, [this](std::int64_t t) { rewrite(index(t)); });
  }

  [[nodiscard]] std::uint64_t checksum() const {
    idws::checksum sum;
    for (const idws::triangle& t : result_) {
      for (const int v : t) sum.add(static_cast<std::uint64_t>(v));
    }
    return sum.value();
  }

  [[nodiscard]] const char* flaw() const { return flaw_of(mesh_.points, result_, mesh_); }

 private:
  /// The worst triangle around v once it lies on its neighbour u; -1 when an edge would be too long.
  [[nodiscard]] double worst_at(int v, int u, double longest) const {
    const point to = mesh_.at(u);
    double worst = 1;
    for (const int t : around_.of(v)) {
      const idws::triangle& corners = mesh_.triangles[index(t)];
      if (std::find(corners.begin(), corners.end(), u) != corners.end()) continue;
      const auto at = [&](int w) { return w == v ? to : mesh_.at(w); };
      const point p[] = {at(corners[0]), at(corners[1]), at(corners[2])};
      if (std::max({squared_distance(p[0], p[1]), squared_distance(p[1], p[2]), squared_distance(p[2], p[0])}) >
          longest)
        return -1;
      worst = std::min(worst, idws::quality(p[0], p[1], p[2]));
    }
    return worst;
  }

  [[nodiscard]] bool too_short(int v, double wanted) const {
    const auto ring = neighbours_.of(v);
    return std::any_of(ring.begin(), ring.end(),
                       [&](int u) { return 2 * squared_distance(mesh_.at(v), mesh_.at(u)) < wanted * wanted; });
  }

  void decide(int v) {
    target_[index(v)] = -1;
    rank_[index(v)] = 0;
    if (boundary_[index(v)] != 0) return;
    const double wanted = wanted_(mesh_.at(v));
    if (!too_short(v, wanted)) return;
    double best = least_quality;
    for (const int u : neighbours_.of(v)) {
      const double worst = worst_at(v, u, 2 * wanted * wanted);
      if (worst <= best) continue;
      best = worst;
      target_[index(v)] = u;
    }
    if (target_[index(v)] >= 0) rank_[index(v)] = rank_of(v);
  }

  /// Different for all vertices, in no order.
  [[nodiscard]] static std::uint64_t rank_of(int v) {
    return (static_cast<std::uint64_t>(v) + 1) * 0x9e3779b97f4a7c15U;
  }

  [[nodiscard]] std::uint64_t highest_of(const std::vector<std::uint64_t>& ranks, int v) const {
    std::uint64_t highest = ranks[index(v)];
    for (const int u : neighbours_.of(v)) highest = std::max(highest, ranks[index(u)]);
    return highest;
  }

  void keep_or_drop(int v) {
    if (rank_[index(v)] != 0 && highest_of(highest_, v) != rank_[index(v)]) target_[index(v)] = -1;
  }

  /// A triangle that a collapse has made flat has two corners alike.
  void rewrite(std::size_t t) {
    for (std::size_t k = 0; k < 3; ++k) {
      const int v = mesh_.triangles[t][k];
      const int to = target_[index(v)];
      result_[t][k] = to >= 0 ? to : v;
    }
  }

  idws::triangle_mesh mesh_;
  lists around_;
  lists neighbours_;
  std::vector<char> boundary_;
  idws::front wanted_;
  std::vector<int> target_;             // the neighbour a vertex collapses onto, -1: none
  std::vector<std::uint64_t> rank_;     // of those that may collapse, else 0
  std::vector<std::uint64_t> highest_;  // around a vertex
  std::vector<idws::triangle> result_;
};

int run(int argc, char** argv) {
  idws::settings chosen;
  idws::mesh_source source;
  idws::parse(chosen, argc, argv, "collapses the edges of a mesh that are too short", source.options());
  idws::triangle_mesh mesh = source.load();
  idws::print_mesh("coarsen", mesh);
  coarsen kernel(std::move(mesh));
  return idws::measure(chosen, kernel);
}

}  // namespace

int main(int argc, char** argv) { return idws::guarded(run, argc, argv); }
