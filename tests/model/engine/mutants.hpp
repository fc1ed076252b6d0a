// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "explore.hpp"

namespace steelyard::model {

/// A protocol and the tests that must kill its mutants.
struct protocol {
  struct test {
    scenario what;
    options how;
  };
  std::string name;
  std::vector<test> tests;
  std::string
      elsewhere{};  ///< sites that begin with one of these letters are another protocol's, mutated with its tests
};

struct mutant_report {
  std::string table;
  /// What is wrong: survivors that nobody proved equivalent, and proofs of mutants that are killed or do not exist.
  std::vector<std::string> complaints;
};

/// Runs the tests, makes the mutants from the accesses they met, and runs the tests on each. `equivalent` is the file
/// of the proofs.
[[nodiscard]] mutant_report run_mutants(const protocol& tested, const std::string& equivalent);

}  // namespace steelyard::model
