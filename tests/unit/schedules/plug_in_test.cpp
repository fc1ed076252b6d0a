// SPDX-License-Identifier: Apache-2.0
// How plug-ins are written; tests/unit/tool/plug_in_test.py loads some.
#include "schedules/plug_in.hpp"

#include <gtest/gtest.h>

#include <string_view>

#include "schedules/registry.hpp"

namespace steelyard::schedules {
namespace {

TEST(plug_in, is_named_by_a_slash_before_any_colon) {
  for (const char* text : {"./mine.so", "/abs/mine.so,4", "sub/mine.so", "./with:colon.so", "/"})
    EXPECT_TRUE(names_plug_in(text)) << text;
  for (const char* text : {"", "mine.so", "steal", "wsri:paper", "expert:steal+./mine.so", "nustatic:1/2"})
    EXPECT_FALSE(names_plug_in(text)) << text;
}

TEST(plug_in, may_have_a_chunk) {
  const struct {
    std::string_view text, file, chunk;
  } cases[] = {
      {"./mine.so", "./mine.so", ""},        {" ./mine.so ", "./mine.so", ""},   {"./mine.so,4", "./mine.so", ",4"},
      {"./mine.so , 4", "./mine.so", ", 4"}, {"./mine.so,x", "./mine.so", ",x"}, {"./mine.so,", "./mine.so", ","},
      {"./a,b.so", "./a,b.so", ""},          {"./a,b/c", "./a,b/c", ""},         {"./a,b.so,-1", "./a,b.so", ",-1"},
  };
  for (const auto& [text, file, chunk] : cases) {
    EXPECT_EQ(split_plug_in(text).file, file) << text;
    EXPECT_EQ(split_plug_in(text).chunk, chunk) << text;
  }
}

TEST(plug_in, is_stood_in_for_until_it_is_loaded) {
  const auto stands_in = not_yet_loaded(" ./mine.so,4 ");
  EXPECT_EQ(stands_in.schedule, find("steal"));
  EXPECT_EQ(stands_in.file, "./mine.so,4");
}

TEST(plug_in, that_is_none_is_told) {
  const auto found = load_choice("./no/such/file.so,4");
  EXPECT_EQ(found.value.schedule, nullptr);
  EXPECT_EQ(std::string_view(found.wrong),
            "cannot be loaded: cannot open shared object file: No such file or directory");
}

}  // namespace
}  // namespace steelyard::schedules
