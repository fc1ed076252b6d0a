// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>

#include "execution.hpp"

namespace steelyard::model {

/// A test: a world and how many threads run in it.
struct scenario {
  std::string name;
  unsigned threads = 2;
  execution::factory make;
};

struct options {
  strategy how = strategy::graphs;
  int bound = -1;            ///< of interleavings, see `rules`
  std::uint64_t random = 0;  ///< so many random executions instead of all
  std::uint64_t seed = 1;
  std::uint64_t limit = 50'000'000;  ///< executions after which the exploration gives up
  unsigned steps = 2000;             ///< see `rules`
  const mutation* mutant = nullptr;
  std::set<access>* seen = nullptr;
  bool count_graphs = false;
};

struct failure {
  std::string message;
  std::string trace;
  std::string replay;  ///< value of STEELYARD_MODEL_REPLAY that runs this execution alone
};

struct result {
  std::uint64_t executions = 0;  ///< complete ones
  std::uint64_t discarded = 0;   ///< that led nowhere new
  bool exhausted = false;        ///< nothing is left to explore
  std::optional<failure> failed;
  std::set<std::string> outcomes;
  std::set<std::uint64_t> graphs;  ///< with `count_graphs`
};

/// Runs the executions of a scenario until one fails.
[[nodiscard]] result explore(const scenario& what, const options& how = {});

/// A table of an execution's operations, in the order they ran.
[[nodiscard]] std::string trace_of(const memory& graph);

}  // namespace steelyard::model
