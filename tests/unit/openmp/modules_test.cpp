// SPDX-License-Identifier: Apache-2.0
#include "openmp/compiled/modules.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace steelyard::openmp::compiled {
namespace {

const table ours{};

}  // namespace

/// As far as compilers see anybody may write it.
const table* volatile pointer = nullptr;

namespace {

/// A segment of notes that tell of it.
struct segment {
  std::vector<unsigned char> notes = std::vector<unsigned char>(256);
  std::size_t size = 0;

  void add(const void* bytes, std::size_t count) {
    std::memcpy(notes.data() + size, bytes, count);
    size += (count + 3) / 4 * 4;
  }
  void add_note(const std::string& owner, std::uint32_t type, std::uint32_t length = sizeof(std::int64_t)) {
    const std::uint32_t head[] = {static_cast<std::uint32_t>(owner.size() + 1), length, type};
    add(head, sizeof head);
    add(owner.c_str(), owner.size() + 1);
    const std::int64_t distance =
        reinterpret_cast<unsigned char*>(const_cast<const table**>(&pointer)) - (notes.data() + size);
    add(&distance, sizeof distance);
  }
  bool is_found(std::size_t up_to) {
    pointer = nullptr;
    set_pointers(notes.data(), up_to, &ours);
    return pointer == &ours;
  }
};

TEST(Modules, ANoteTellsWhereThePointerIs) {
  segment one;
  one.add_note("steelyard", 1);
  EXPECT_TRUE(one.is_found(one.size));
  set_pointers(one.notes.data(), one.size, nullptr);
  EXPECT_EQ(pointer, nullptr);
}

TEST(Modules, ItIsFoundBehindOthers) {
  segment one;
  one.add_note("GNU", 3);
  one.add_note("steelyards", 1);
  one.add_note("steelyard", 1);
  EXPECT_TRUE(one.is_found(one.size));
}

TEST(Modules, NotesOfOthersAndOfOtherVersionsAreLeft) {
  for (const auto& [owner, type, length] :
       {std::tuple{"GNU", 1U, 8U}, {"steelyarf", 1U, 8U}, {"steelyard", 2U, 8U}, {"steelyard", 1U, 7U}}) {
    segment one;
    one.add_note(owner, type, length);
    EXPECT_FALSE(one.is_found(one.size)) << owner << type << length;
  }
}

TEST(Modules, ASegmentThatEndsTooEarlyIsNotReadBeyond) {
  segment one;
  one.add_note("steelyard", 1);
  for (std::size_t size = 0; size < one.size; ++size) EXPECT_FALSE(one.is_found(size)) << size;
}

TEST(Modules, LengthsThatWrapAroundAreNotFollowed) {
  segment one;
  const std::uint32_t head[] = {0xFFFFFFFF, 0xFFFFFFFF, 1};
  one.add(head, sizeof head);
  one.add_note("steelyard", 1);
  EXPECT_FALSE(one.is_found(one.size));
}

}  // namespace
}  // namespace steelyard::openmp::compiled
