// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>

namespace idws {

struct point {
  double x = 0;
  double y = 0;
};

inline point middle(point a, point b) { return {(a.x + b.x) / 2, (a.y + b.y) / 2}; }

inline double squared_distance(point a, point b) {
  const double dx = b.x - a.x;
  const double dy = b.y - a.y;
  return dx * dx + dy * dy;
}

/// Twice the area; negative when clockwise.
inline double twice_area(point a, point b, point c) { return (b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y); }

/// 1 for an equilateral triangle, near 0 for a flat one, not above 0 for one turned inside out.
inline double quality(point a, point b, point c) {
  constexpr double twice_root_three = 3.4641016151377544;
  const double sides = squared_distance(a, b) + squared_distance(b, c) + squared_distance(c, a);
  return sides > 0 ? twice_root_three * twice_area(a, b, c) / sides : 0;
}

}  // namespace idws
