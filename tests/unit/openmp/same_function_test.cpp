// SPDX-License-Identifier: Apache-2.0
#include "openmp/compiled/same_function.hpp"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>

namespace steelyard::openmp::compiled {
namespace {

[[gnu::noinline]] const void* here() {
  asm volatile("");  // else compilers take it for a function that always returns the same
  return __builtin_return_address(0);
}

/// Two addresses inside of it.
struct two {
  const void* first;
  const void* second;
};
[[gnu::noinline]] two one_function() {
  const void* const first = here();
  const void* const second = here();
  return {first, second};
}
[[gnu::noinline]] two another_function() {
  const void* const second = here();
  const void* const first = here();
  asm volatile("");  // nor is it the other one
  return {first, second};
}

TEST(SameFunction, AddressesInOneAreAlike) {
  const two one = one_function();
  ASSERT_NE(one.first, one.second);
  EXPECT_TRUE(is_same_function(one.first, one.second));
  EXPECT_TRUE(is_same_function(one.first, one.first));
}

TEST(SameFunction, AddressesInTwoAreNot) {
  const two one = one_function();
  const two other = another_function();
  EXPECT_FALSE(is_same_function(one.first, other.first));
  EXPECT_FALSE(is_same_function(other.second, one.second));
}

TEST(SameFunction, OtherObjectsAndNoCodeAtAllAreNot) {
  const two one = one_function();
  const int data = 0;
  EXPECT_FALSE(is_same_function(one.first, reinterpret_cast<const void*>(&std::abort)));
  EXPECT_FALSE(is_same_function(reinterpret_cast<const void*>(&std::abort), one.first));
  EXPECT_FALSE(is_same_function(one.first, &data));
  EXPECT_FALSE(is_same_function(&data, one.first));
  EXPECT_FALSE(is_same_function(nullptr, nullptr));
}

}  // namespace
}  // namespace steelyard::openmp::compiled
