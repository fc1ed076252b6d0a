// SPDX-License-Identifier: Apache-2.0
#include "read/source_name.hpp"

#include <gtest/gtest.h>

namespace steelyard::tool {
namespace {

TEST(source_name, names_as_in_the_source) {
  EXPECT_EQ(source_name("count._omp_fn.0"), "count");
  EXPECT_EQ(source_name("count.omp_outlined"), "count");
  EXPECT_EQ(source_name("_ZN1a5countEi._omp_fn.1"), "a::count");
  EXPECT_EQ(source_name("_ZN12_GLOBAL__N_15countEi._omp_fn.0"), "count");
  EXPECT_EQ(source_name("_ZN1aclEv"), "a::operator()");
  EXPECT_EQ(source_name(".omp_outlined."), "");
  EXPECT_EQ(source_name("main"), "main");
}

TEST(source_name, template_arguments_are_whole) {
  EXPECT_EQ(source_name("_Z5applyIdZ4mainEUldiE_EvRSt6vectorIT_SaIS2_EET0_._omp_fn.0"),
            "apply<double, main::{lambda(double, int)#1}>");
  EXPECT_EQ(source_name("_Z3runISt8functionIFvidEEEvT_"), "run<std::function<void (int, double)> >");
  EXPECT_EQ(source_name("_ZN1a1bIiE3runIPFvvEEEvT_"), "a::b<int>::run<void (*)()>");
}

TEST(source_name, what_holds_a_function_keeps_its_parameters) {
  EXPECT_EQ(source_name("_ZZ4mainENKUlvE0_clEv._omp_fn.0"), "main::{lambda()#2}::operator()");
  EXPECT_EQ(source_name("_ZZ1fiEN5local1gEc"), "f(int)::local::g");
}

TEST(source_name, operators) {
  EXPECT_EQ(source_name("_ZN1alsERKS_"), "a::operator<<");
  EXPECT_EQ(source_name("_ZN1altERKS_"), "a::operator<");
  EXPECT_EQ(source_name("_ZN1aptEv"), "a::operator->");
  EXPECT_EQ(source_name("_ZN1aixEi"), "a::operator[]");
  EXPECT_EQ(source_name("_ZN1acvmEv"), "a::operator unsigned long");
  EXPECT_EQ(source_name("_ZplIiEiT_S0_"), "operator+<int>");
  EXPECT_EQ(source_name("_ZN9operators3runEv"), "operators::run");
}

TEST(source_name, loops_that_the_launcher_has_rewritten) {
  EXPECT_EQ(source_name("_ZZ4mainE16steelyard_site_0"), "main");
  EXPECT_EQ(source_name("_ZZN1a5countEiPdE17steelyard_site_12"), "a::count");
  EXPECT_EQ(source_name("_ZZN12_GLOBAL__N_15countEiE17steelyard_site_12_0"), "count");
  EXPECT_EQ(source_name("_ZZZ4mainENKUlvE_clEvE16steelyard_site_3"), "main::{lambda()#1}::operator()");
  EXPECT_EQ(source_name("steelyard_site_0"), "");
  EXPECT_EQ(source_name("steelyard_site_0.2"), "");
}

}  // namespace
}  // namespace steelyard::tool
