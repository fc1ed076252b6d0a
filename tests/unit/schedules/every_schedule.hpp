// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "loop_run.hpp"

namespace steelyard::schedules::testing {

/// What the contract promises of every schedule: a schedule's test file instantiates this suite with its name.
class every_schedule : public ::testing::TestWithParam<const char*> {
 protected:
  const operations& schedule = *find(GetParam());
};

}  // namespace steelyard::schedules::testing

#define STEELYARD_KEEPS_THE_CONTRACT(name)                                 \
  INSTANTIATE_TEST_SUITE_P(name, every_schedule, ::testing::Values(#name), \
                           [](const auto& given) { return std::string(given.param); })
