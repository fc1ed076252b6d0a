// SPDX-License-Identifier: Apache-2.0
// Refinement of a mesh towards a front that has moved: marks edges, counts the children of each triangle, and writes new
// vertices and triangles into slots that prefix sums (not timed) have laid out.
#include <bit>
#include <cstdint>

#include "main.hpp"
#include "mesh/sizes.hpp"
#include "mesh/source.hpp"
#include "mesh/split.hpp"

namespace {

class refine {
 public:
  explicit refine(const idws::triangle_mesh& mesh) : mesh_(&mesh), splitter_(mesh), wanted_(idws::moved_front(mesh)) {}

  void reset() {}

  template <class Loop>
  void run(Loop& loop) {
    splitter_.run(loop, wanted_);
  }

  [[nodiscard]] std::uint64_t checksum() const {
    idws::checksum sum;
    for (const idws::point p : splitter_.points()) {
      sum.add(std::bit_cast<std::uint64_t>(p.x));
      sum.add(std::bit_cast<std::uint64_t>(p.y));
    }
    for (const idws::triangle& t : splitter_.triangles()) {
      for (const int v : t) sum.add(static_cast<std::uint64_t>(v));
    }
    return sum.value();
  }

  [[nodiscard]] const char* flaw() const { return flaw_of(splitter_.points(), splitter_.triangles(), *mesh_); }

 private:
  const idws::triangle_mesh* mesh_;
  idws::splitter splitter_;
  idws::front wanted_;
};

int run(int argc, char** argv) {
  idws::settings chosen;
  idws::mesh_source source;
  idws::parse(chosen, argc, argv, "splits the triangles of a mesh whose edges are too long", source.options());
  const idws::triangle_mesh mesh = source.load();
  idws::print_mesh("refine", mesh);
  refine kernel(mesh);
  return idws::measure(chosen, kernel);
}

}  // namespace

int main(int argc, char** argv) { return idws::guarded(run, argc, argv); }
