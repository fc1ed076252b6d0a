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

#define STEELYARD_KEEPS_THE_CONTRACT(name) STEELYARD_KEEPS_THE_CONTRACT_AS(name, #name)
/// For a name that is none in C++, `wsri:paper`.
#define STEELYARD_KEEPS_THE_CONTRACT_AS(name, text)                       \
  INSTANTIATE_TEST_SUITE_P(name, every_schedule, ::testing::Values(text), \
                           [](const auto&) { return std::string(#name); })
