// SPDX-License-Identifier: Apache-2.0
// What all graph programs have in common: their options, the graph they load, and how they fail.
#pragma once

#include <string>
#include <vector>

#include "arguments.h"
#include "edge_list.hpp"
#include "report.h"

namespace graph {

struct program {
  const char* rmat = nullptr;
  const char* lattice = nullptr;
  const char* snap = nullptr;
  const char* mtx = nullptr;
  long repeat = 3;
  int no_verify = 0;
  const char* default_rmat = "16,16";

  // Fills this and the targets of the program's own options.
  void parse(int argc, char** argv, const char* summary, const std::vector<argument>& own = {});

  // The graph that was asked for. Throws input_error.
  edge_list load() const;
};

// Calls run, turning what it throws about its input into one line and exit status 2.
int guarded(int (*run)(int, char**), int argc, char** argv);

}  // namespace graph
