// SPDX-License-Identifier: Apache-2.0
// Edge swaps: an edge between two triangles is replaced by the other diagonal of their quadrilateral where that makes
// the worse of the two better. A sweep works out what each edge would gain, finds edges that gain most among all edges
// near them, and swaps those; no two of them touch triangles next to each other.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "repair.hpp"

namespace {

using idws::next_in_triangle;
using idws::point;

constexpr double good_enough = 0.9;  // an edge between triangles that good stays
constexpr double least_gain = 1e-3;

std::size_t index(std::int64_t i) { return static_cast<std::size_t>(i); }

class swap {
 public:
  swap(idws::triangle_mesh mesh, long sweeps)
      : mesh_(std::move(mesh)), original_(mesh_.triangles), original_twins_(twins_of(mesh_, triangles_around(mesh_))),
        gain_(original_twins_.size()), best_(original_.size()), best_near_(original_.size()), sweeps_(sweeps) {}

  void reset() {
    mesh_.triangles = original_;
    twins_ = original_twins_;
  }

  template <class Loop>
  void run(Loop& loop) {
    const auto halves = static_cast<std::int64_t>(twins_.size());
    const auto triangles = static_cast<std::int64_t>(original_.size());
    for (long sweep = 0; sweep < sweeps_; ++sweep) {
      loop(halves, [this](std::int64_t h) { gain_[index(h)] = gain(static_cast<int>(h)); });
      loop(triangles, [this](std::int64_t t) { best_[index(t)] = best(static_cast<int>(t)); });
      loop(triangles, [this](std::int64_t t) { best_near_[index(t)] = best_near(static_cast<int>(t)); });
      loop(halves, [this](std::int64_t h) {
        if (chosen(static_cast<int>(h))) turn(static_cast<int>(h));
      });
    }
  }

  [[nodiscard]] std::uint64_t checksum() const {
    idws::checksum sum;
    for (const idws::triangle& t : mesh_.triangles) {
      for (const int v : t) sum.add(static_cast<std::uint64_t>(v));
    }
    for (const int twin : twins_) sum.add(static_cast<std::uint64_t>(twin));
    return sum.value();
  }

  [[nodiscard]] const char* flaw() const {
    return flaw_of(mesh_.points, mesh_.triangles, {{}, mesh_.points, original_});
  }

 private:
  [[nodiscard]] int from(int half) const { return mesh_.triangles[index(half / 3)][index(half % 3)]; }
  [[nodiscard]] int apex(int half) const { return from(next_in_triangle(next_in_triangle(half))); }

  // Of the lower half-edge of an edge: what a swap gains in the upper 32 bits, then the half-edge itself, so that no two
  // edges have the same. 0: no swap.
  [[nodiscard]] std::uint64_t gain(int half) const {
    const int twin = twins_[index(half)];
    if (twin < half) return 0;
    const point a = mesh_.at(from(half));
    const point b = mesh_.at(from(twin));
    const point c = mesh_.at(apex(half));
    const point d = mesh_.at(apex(twin));
    const double before = std::min(quality(a, b, c), quality(b, a, d));
    if (before >= good_enough) return 0;
    const double gained = std::min(quality(a, d, c), quality(d, b, c)) - before;
    if (gained < least_gain || gained + before <= 0) return 0;
    const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(gained));
    return std::uint64_t{bits} << 32 | static_cast<std::uint32_t>(half);
  }

  [[nodiscard]] std::uint64_t best(int t) const {
    std::uint64_t most = 0;
    for (int half = 3 * t; half < 3 * t + 3; ++half) {
      const int twin = twins_[index(half)];
      most = std::max(most, gain_[index(twin >= 0 && twin < half ? twin : half)]);
    }
    return most;
  }

  [[nodiscard]] std::uint64_t best_near(int t) const {
    std::uint64_t most = best_[index(t)];
    for (int half = 3 * t; half < 3 * t + 3; ++half) {
      const int twin = twins_[index(half)];
      if (twin >= 0) most = std::max(most, best_[index(twin / 3)]);
    }
    return most;
  }

  // If it gains most near its first triangle, no edge of the second one is chosen instead, so nobody writes the twin
  // that is read here.
  [[nodiscard]] bool chosen(int half) const {
    const std::uint64_t own = gain_[index(half)];
    return own != 0 && own == best_near_[index(half / 3)] && own == best_near_[index(twins_[index(half)] / 3)];
  }

  void join(int half, int twin) {
    twins_[index(half)] = twin;
    if (twin >= 0) twins_[index(twin)] = half;
  }

  // Triangles a b c and b a d become a d c and d b c.
  void turn(int half) {
    const int twin = twins_[index(half)];
    const int a = from(half);
    const int b = from(twin);
    const int c = apex(half);
    const int d = apex(twin);
    const int bc = twins_[index(next_in_triangle(half))];
    const int ca = twins_[index(next_in_triangle(next_in_triangle(half)))];
    const int ad = twins_[index(next_in_triangle(twin))];
    const int db = twins_[index(next_in_triangle(next_in_triangle(twin)))];
    const int s = half / 3;
    const int t = twin / 3;
    mesh_.triangles[index(s)] = {a, d, c};
    mesh_.triangles[index(t)] = {d, b, c};
    join(3 * s, ad);
    join(3 * s + 1, 3 * t + 2);
    join(3 * s + 2, ca);
    join(3 * t, db);
    join(3 * t + 1, bc);
  }

  idws::triangle_mesh mesh_;
  std::vector<idws::triangle> original_;
  std::vector<int> original_twins_;
  std::vector<int> twins_;
  std::vector<std::uint64_t> gain_;       // by half-edge
  std::vector<std::uint64_t> best_;       // by triangle, of its edges
  std::vector<std::uint64_t> best_near_;  // and of the triangles next to it
  long sweeps_;
};

int run(int argc, char** argv) {
  return idws::repair<swap>("swap", "swaps the edges of a disturbed mesh where that makes triangles better", argc,
                            argv);
}

}  // namespace

int main(int argc, char** argv) { return idws::guarded(run, argc, argv); }
