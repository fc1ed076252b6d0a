// SPDX-License-Identifier: Apache-2.0
#include "support/variables.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace support = steelyard::support;

namespace {

std::vector<std::string> unknown(const std::vector<const char*>& environment) {
  std::vector<const char*> entries(environment);
  entries.push_back(nullptr);
  std::vector<std::string> found;
  support::each_unknown_variable(entries.data(), [&](std::string_view written, std::string_view nearest) {
    found.push_back(std::string(written) + ">" + std::string(nearest));
  });
  return found;
}

TEST(Variables, Distance) {
  EXPECT_EQ(support::distance("", ""), 0U);
  EXPECT_EQ(support::distance("LOOPS", "LOOPS"), 0U);
  EXPECT_EQ(support::distance("LOOP", "LOOPS"), 1U);
  EXPECT_EQ(support::distance("", "SPAN"), 4U);
  EXPECT_EQ(support::distance("SHEDULE", "SCHEDULE"), 1U);
  EXPECT_EQ(support::distance("LIMTI", "LIMIT"), 2U);
  EXPECT_EQ(support::distance(std::string(100, 'A'), "A"), 31U) << "as far as 32 letters";
}

TEST(Variables, EveryKnownOneIsTheNearestToItself) {
  for (const auto name : support::variables) EXPECT_EQ(support::nearest_variable(name), name);
}

TEST(Variables, Unknown) {
  EXPECT_EQ(unknown({}), std::vector<std::string>{});
  EXPECT_EQ(unknown({"STEELYARD_SCHEDULE=steal", "PATH=/bin", "XSTEELYARD_FOO=1", "STEELYARD=1", "steelyard_x=1"}),
            std::vector<std::string>{});
  EXPECT_EQ(unknown({"STEELYARD_SHEDULE=steal", "STEELYARD_THREADS=4", "STEELYARD_LOOPS"}),
            (std::vector<std::string>{"SHEDULE>SCHEDULE", "THREADS>NUM_THREADS"}));
  EXPECT_EQ(unknown({"STEELYARD_", "STEELYARD_=x"}).size(), 2U);
  EXPECT_EQ(unknown({"STEELYARD_TEST_TOOL=x", "STEELYARD_ROOT=/opt/steelyard"}), std::vector<std::string>{});
}

TEST(Variables, WhatOneHas) {
  const char* const environment[] = {"LIMITS=1", "LIMIT", "LIMIT=", "LOOPS=a=b", "LOOPS=later", nullptr};
  EXPECT_STREQ(support::value_of(environment, "LIMIT"), "");
  EXPECT_STREQ(support::value_of(environment, "LIMITS"), "1");
  EXPECT_STREQ(support::value_of(environment, "LOOPS"), "a=b") << "the first one";
  EXPECT_EQ(support::value_of(environment, "LOOP"), nullptr);
  EXPECT_EQ(support::value_of(nullptr, "LOOPS"), nullptr);
}

TEST(Variables, NoEnvironment) {
  bool said = false;
  support::each_unknown_variable(nullptr, [&](std::string_view, std::string_view) { said = true; });
  EXPECT_FALSE(said);
}

}  // namespace
