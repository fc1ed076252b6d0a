// SPDX-License-Identifier: Apache-2.0
#include "mesh/sizes.hpp"

#include <algorithm>

namespace idws {

front moved_front(const triangle_mesh& mesh) {
  point low = mesh.points.front();
  point high = low;
  for (const point p : mesh.points) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y)};
  }
  const double extent = std::max(high.x - low.x, high.y - low.y);
  front wanted;
  wanted.centre = {low.x + 0.6 * (high.x - low.x), low.y + 0.5 * (high.y - low.y)};
  wanted.radius *= extent;
  wanted.finest *= extent;
  double sum = 0;
  for (const triangle& corners : mesh.triangles) {
    const auto [a, b, c] = mesh.corners(corners);
    sum += std::sqrt(squared_distance(a, b)) / wanted(middle(a, b));
  }
  const double scale = sum / static_cast<double>(mesh.triangles.size());
  wanted.finest *= scale;
  wanted.growth *= scale;
  return wanted;
}

}  // namespace idws
