// SPDX-License-Identifier: Apache-2.0
// How long the edges are to be: fine near a circular front, coarser away from it. A mesh is made for the front where it
// was and adapted to the front where it has moved to, so each kernel's work is concentrated somewhere.
#pragma once

#include <cmath>

#include "mesh/mesh.hpp"

namespace idws {

struct front {
  point centre{0.45, 0.5};
  double radius = 0.3;
  double finest = 0.0017;
  double growth = 0.02;

  /// The length wanted at p.
  [[nodiscard]] double operator()(point p) const {
    return finest + growth * std::abs(std::sqrt(squared_distance(p, centre)) - radius);
  }
};

/// The front moved by a seventh of the domain, scaled so that the edges of `mesh` have the wanted length in the mean.
front moved_front(const triangle_mesh& mesh);

}  // namespace idws
