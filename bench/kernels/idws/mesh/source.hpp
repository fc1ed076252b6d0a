// SPDX-License-Identifier: Apache-2.0
// Where the mesh of a program comes from.
#pragma once

#include <vector>

#include "common/arguments.h"
#include "mesh/mesh.hpp"

namespace idws {

struct mesh_source {
  const char* file = nullptr;
  long triangles = 200000;

  /// The options of every mesh program.
  std::vector<argument> options();

  /// The file's mesh, or the built-in one. Throws graph::input_error.
  [[nodiscard]] triangle_mesh load() const;
};

/// At least `least` triangles: a grid with shifted vertices and diagonals either way, refined towards a front until it
/// is large enough.
triangle_mesh generate(long least);

/// Interior vertices moved at random, the more the nearer to the front; no triangle turns inside out. What smoothing
/// and swapping repair.
triangle_mesh disturbed(triangle_mesh mesh);

}  // namespace idws
