// SPDX-License-Identifier: Apache-2.0
#include "support/loaded_object.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>

#include "support/segments.hpp"

namespace steelyard::support {
namespace {

void code() {}
const auto here = reinterpret_cast<std::uintptr_t>(&code);

TEST(LoadedObject, OfTheProgramHasItsPath) {
  const auto* const object = object_of(here);
  ASSERT_NE(object, nullptr);
  char room[4096];
  EXPECT_EQ(path_of(*object, room), std::filesystem::read_symlink("/proc/self/exe").native());
}

TEST(LoadedObject, OfALibraryHasThePathThatTheLoaderKnows) {
  const auto* const object = object_of(reinterpret_cast<std::uintptr_t>(dlsym(RTLD_DEFAULT, "gnu_get_libc_version")));
  ASSERT_NE(object, nullptr);
  EXPECT_NE(object, object_of(here));
  char room[4096];
  EXPECT_EQ(path_of(*object, room), object->l_name);
}

TEST(LoadedObject, IsNoneWhereNoneLies) {
  const auto heap = std::make_unique<int>(1);
  EXPECT_EQ(object_of(reinterpret_cast<std::uintptr_t>(heap.get())), nullptr);
}

TEST(Segments, OfAnObjectHoldItsCode) {
  Dl_info about{};
  ASSERT_NE(dladdr(reinterpret_cast<void*>(here), &about), 0);
  const auto segments = segments_of(about.dli_fbase);
  const auto bias = object_of(here)->l_addr;
  EXPECT_TRUE(std::any_of(segments.begin(), segments.end(), [&](const auto& each) {
    return each.p_type == PT_LOAD && (each.p_flags & PF_X) != 0 && here - bias - each.p_vaddr < each.p_memsz;
  }));
}

TEST(Segments, OfWhatIsNoObjectAreNone) {
  const std::string text(sizeof(ElfW(Ehdr)), 'x');
  EXPECT_TRUE(segments_of(text.data()).empty());
}

}  // namespace
}  // namespace steelyard::support
