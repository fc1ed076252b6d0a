// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>
#include <cstdio>

#include "engine/door.hpp"
#include "engine/mutants.hpp"

namespace steelyard::model {

/// Every test of the protocol holds in every execution.
inline void expect_holds(const protocol& tested) {
  for (const auto& test : tested.tests) {
    const auto found = explore(test.what, test.how);
    std::printf("  %-44s %9llu executions (%llu paths discarded)\n", test.what.name.c_str(),
                static_cast<unsigned long long>(found.executions), static_cast<unsigned long long>(found.discarded));
    EXPECT_TRUE(found.exhausted || found.failed || test.how.random != 0) << test.what.name << ": gave up";
    EXPECT_FALSE(found.failed) << test.what.name << ": " << found.failed->message << "\n"
                               << found.failed->trace << "replay: STEELYARD_MODEL_REPLAY='" << found.failed->replay
                               << "'";
  }
}

/// Every mutant is killed or proved equivalent.
inline void expect_mutants_killed(const protocol& tested) {
  const auto report = run_mutants(tested, STEELYARD_MODEL_EQUIVALENT);
  std::printf("%s", report.table.c_str());
  for (const auto& complaint : report.complaints) ADD_FAILURE() << complaint;
}

}  // namespace steelyard::model
