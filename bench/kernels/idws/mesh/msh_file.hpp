// SPDX-License-Identifier: Apache-2.0
// Meshes in gmsh's text format, versions 2 and 4.1.
#pragma once

#include <string>

#include "mesh/mesh.hpp"

namespace idws {

/// Triangles in the plane z = constant; points and lines are passed over, any other element is refused. Throws
/// graph::input_error naming file and line.
triangle_mesh read_msh(const std::string& file);

}  // namespace idws
