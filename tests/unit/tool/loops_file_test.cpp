// SPDX-License-Identifier: Apache-2.0
#include "loops_file.hpp"

#include "failure.hpp"
#include "scratch.hpp"

namespace steelyard::tool {
namespace {

class loops_file : public scratch {
 protected:
  std::string refusal(const std::string& text) const {
    const auto file = write("loops", text);
    try {
      static_cast<void>(read_loops_file(file));
    } catch (const failure& error) {
      EXPECT_EQ(error.status(), bad_usage);
      const std::string said = error.what();
      EXPECT_TRUE(said.starts_with(file.native())) << said;
      return said.substr(file.native().size());
    }
    return "accepted";
  }
};

TEST_F(loops_file, sites_schedules_comments_and_blank_lines) {
  const auto found = read_loops_file(write("loops",
                                           "# all of it\n\n  app+0x11a4 Steal  # a.c:3\r\na.c:17\tdynamic,8\n"
                                           "/opt/x/libx.so+0xff guided"));
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0].site, "app+0x11a4");
  EXPECT_EQ(found[0].schedule, "steal");
  EXPECT_EQ(found[1].schedule, "dynamic,8");
  EXPECT_EQ(found[2].site, "/opt/x/libx.so+0xff");
}

TEST_F(loops_file, a_bad_line_is_named_by_its_number) {
  EXPECT_TRUE(refusal("# x\napp+0x12 nope\n").starts_with(":2: 'nope' is not a schedule"));
  for (const char* line :
       {"app", "app+0x12", "app+12 steal", "app+0x steal", "app+0x0 steal", "+0x12 steal", "a.c:0 steal", "a.c: steal",
        ":12 steal", "app+0x12 steal 4", "./app+0x12 steal", "app+0x12 steal,0", "app+0x11112222333344445 steal"}) {
    EXPECT_TRUE(refusal(line).starts_with(":1: ")) << line << " -> " << refusal(line);
  }
}

TEST_F(loops_file, a_file_that_cannot_be_read) {
  EXPECT_THROW(static_cast<void>(read_loops_file(folder_ / "none")), failure);
  EXPECT_THROW(static_cast<void>(read_loops_file(folder_)), failure);
}

}  // namespace
}  // namespace steelyard::tool
