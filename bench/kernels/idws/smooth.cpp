// SPDX-License-Identifier: Apache-2.0
// Laplacian smoothing, guarded by quality: a vertex goes to the mean of its neighbours if the worst triangle around it
// gets better. Colour by colour, so that no two vertices that move at a time are neighbours.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "repair.hpp"

namespace {

using idws::lists;
using idws::point;

constexpr double good_enough = 0.9;  // a vertex all of whose triangles are that good stays

class smooth {
 public:
  smooth(idws::triangle_mesh mesh, long sweeps)
      : mesh_(std::move(mesh)), original_(mesh_.points), around_(triangles_around(mesh_)),
        neighbours_(neighbours_of(mesh_, around_)), colours_(colours_of(neighbours_)),
        boundary_(boundary_of(mesh_, twins_of(mesh_, around_))), sweeps_(sweeps) {}

  void reset() { mesh_.points = original_; }

  template <class Loop>
  void run(Loop& loop) {
    for (long sweep = 0; sweep < sweeps_; ++sweep) {
      for (int colour = 0; colour < colours_.count(); ++colour) {
        const auto vertices = colours_.of(colour);
        loop(static_cast<std::int64_t>(vertices.size()),
             [this, vertices](std::int64_t i) { move(vertices[static_cast<std::size_t>(i)]); });
      }
    }
  }

  [[nodiscard]] std::uint64_t checksum() const {
    idws::checksum sum;
    for (const point p : mesh_.points) {
      sum.add(std::bit_cast<std::uint64_t>(p.x));
      sum.add(std::bit_cast<std::uint64_t>(p.y));
    }
    return sum.value();
  }

  [[nodiscard]] const char* flaw() const {
    return flaw_of(mesh_.points, mesh_.triangles, {{}, original_, mesh_.triangles});
  }

 private:
  /// The worst quality around v if it were at p.
  double worst(int v, point p) const {
    double least = 1;
    for (const int t : around_.of(v)) {
      const idws::triangle& corners = mesh_.triangles[static_cast<std::size_t>(t)];
      const auto at = [&](int u) { return u == v ? p : mesh_.at(u); };
      least = std::min(least, idws::quality(at(corners[0]), at(corners[1]), at(corners[2])));
    }
    return least;
  }

  void move(int v) {
    if (boundary_[static_cast<std::size_t>(v)] != 0) return;
    const double before = worst(v, mesh_.at(v));
    if (before >= good_enough) return;
    point mean;
    const auto ring = neighbours_.of(v);
    for (const int u : ring) mean = {mean.x + mesh_.at(u).x, mean.y + mesh_.at(u).y};
    const auto count = static_cast<double>(ring.size());
    mean = {mean.x / count, mean.y / count};
    if (worst(v, mean) > before) mesh_.points[static_cast<std::size_t>(v)] = mean;
  }

  idws::triangle_mesh mesh_;
  std::vector<point> original_;
  lists around_;
  lists neighbours_;
  lists colours_;
  std::vector<char> boundary_;
  long sweeps_;
};

int run(int argc, char** argv) {
  return idws::repair<smooth>("smooth", "moves the vertices of a disturbed mesh towards the mean of their neighbours",
                              argc, argv);
}

}  // namespace

int main(int argc, char** argv) { return idws::guarded(run, argc, argv); }
