// SPDX-License-Identifier: Apache-2.0
// The unit square for gmsh, fine near a circular front: the sizes of sizes.hpp, about 230,000 triangles.
Point(1) = {0, 0, 0};
Point(2) = {1, 0, 0};
Point(3) = {1, 1, 0};
Point(4) = {0, 1, 0};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Line(4) = {4, 1};
Curve Loop(1) = {1, 2, 3, 4};
Plane Surface(1) = {1};
Field[1] = MathEval;
Field[1].F = "0.0017 + 0.02 * Abs(Sqrt((x - 0.45)^2 + (y - 0.5)^2) - 0.3)";
Background Field = 1;
Mesh.MeshSizeExtendFromBoundary = 0;
Mesh.Algorithm = 5;
