// SPDX-License-Identifier: Apache-2.0
#include "remember/build_id.hpp"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>

namespace steelyard::remember {
namespace {

#if __GLIBC_PREREQ(2, 35)
/// What this program was linked with (CMakeLists.txt).
constexpr const char* ours = "0123456789abcdef";

bool find(const void* address, std::string& into) {
  char digits[room_for_build_id] = {};
  const bool found = find_build_id(reinterpret_cast<std::uintptr_t>(address), digits);
  into = digits;
  return found;
}

void code() {}
int data = 1;

TEST(BuildId, IsThatOfTheObjectThatHoldsTheAddress) {
  std::string id;
  ASSERT_TRUE(find(reinterpret_cast<const void*>(&code), id));
  EXPECT_EQ(id, ours);
  ASSERT_TRUE(find(&data, id));
  EXPECT_EQ(id, ours);
}

TEST(BuildId, OfALibraryIsAnother) {
  std::string id;
  if (!find(dlsym(RTLD_DEFAULT, "gnu_get_libc_version"), id)) GTEST_SKIP() << "libc has none here";
  EXPECT_NE(id, ours);
  EXPECT_GE(id.size(), 2U);
  EXPECT_EQ(id.find_first_not_of("0123456789abcdef"), std::string::npos) << id;
}

TEST(BuildId, WhereNoObjectLiesThereIsNone) {
  std::string id;
  const auto heap = std::make_unique<int>(1);
  EXPECT_FALSE(find(heap.get(), id));
  EXPECT_FALSE(find(nullptr, id));
  EXPECT_EQ(id, "");
}
#endif

}  // namespace
}  // namespace steelyard::remember
