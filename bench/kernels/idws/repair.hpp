// SPDX-License-Identifier: Apache-2.0
// The course of the programs that repair a disturbed mesh in sweeps over it. Included in place of main.hpp.
#pragma once

#include <utility>
#include <vector>

#include "main.hpp"
#include "mesh/source.hpp"

namespace idws {

/// A kernel is made of the mesh and the number of sweeps.
template <class Kernel>
int repair(const char* name, const char* summary, int argc, char** argv) {
  settings chosen;
  mesh_source source;
  long sweeps = 4;
  std::vector<argument> own = source.options();
  own.push_back(argument_number("--sweeps", "over the mesh in a run", 1, 1000, &sweeps));
  parse(chosen, argc, argv, summary, own);
  triangle_mesh mesh = source.load();
  print_mesh(name, mesh);
  Kernel kernel(disturbed(std::move(mesh)), sweeps);
  return measure(chosen, kernel);
}

}  // namespace idws
