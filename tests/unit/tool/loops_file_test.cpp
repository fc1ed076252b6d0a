// SPDX-License-Identifier: Apache-2.0
#include "read/loops_file.hpp"

#include <sys/stat.h>

#include <fmt/format.h>

#include "../schedules/loops_lines.hpp"
#include "scratch.hpp"
#include "text/failure.hpp"

namespace steelyard::tool {
namespace {

class loops_file_test : public scratch {
 protected:
  loops_file read(const std::string& text) const { return read_loops_file(write("loops", text)); }

  /// What is said behind the file's name.
  std::string refusal(const std::string& text) const { return refusal_of(write("loops", text)); }

  static std::string refusal_of(const std::filesystem::path& file) {
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

TEST_F(loops_file_test, sites_schedules_comments_and_blank_lines) {
  const auto found = read(
      "# all of it\n\n  app+0x11a4 Steal  # a.c:3\r\na.c:17\tdynamic,8\n"
      "/opt/x/libx.so+0xff guided");
  ASSERT_EQ(found.choices.size(), 3U);
  EXPECT_EQ(found.choices[0].site, "app+0x11a4");
  EXPECT_EQ(found.choices[0].schedule, "steal");
  EXPECT_EQ(found.choices[1].schedule, "dynamic,8");
  EXPECT_EQ(found.choices[2].site, "/opt/x/libx.so+0xff");
  EXPECT_EQ(found.choices[2].number, 5U);
  EXPECT_EQ(found.warning, "");
}

TEST_F(loops_file_test, each_kind_of_line) {
  for (const auto& line : loops_line_cases()) {
    if (line.place.empty() && line.schedule != "nothing") {
      const auto said = refusal("#\n" + line.text + "\n");
      EXPECT_TRUE(said.starts_with(":2: '")) << line.text << " -> " << said;
      EXPECT_NE(said.find("' " + line.schedule), std::string::npos) << line.text << " -> " << said;
      continue;
    }
    const auto found = read(line.text + "\n").choices;
    EXPECT_EQ(found.size(), line.place.empty() ? 0U : 1U) << line.text;
    if (found.size() != 1) continue;
    const char* const mark = line.may_be_absent ? "?" : "";
    EXPECT_EQ(found[0].site, line.line != 0 ? fmt::format("{}:{}{}", line.place, line.line, mark)
                                            : fmt::format("{}+{:#x}{}", line.place, line.offset, mark));
    EXPECT_EQ(found[0].may_be_absent, line.may_be_absent);
    EXPECT_EQ(found[0].schedule, line.schedule);
  }
}

TEST_F(loops_file_test, a_byte_order_mark_is_skipped) {
  const auto found = read(
      "\xEF\xBB\xBF"
      "app+0x12 steal\n");
  ASSERT_EQ(found.choices.size(), 1U);
  EXPECT_EQ(found.choices[0].site, "app+0x12");
}

TEST_F(loops_file_test, of_two_lines_for_a_loop_the_first_counts) {
  const auto found = read("a+0x1 steal\nb+0x1 steal\na+0x001 guided\na+0x1 wsr\na.c:1 steal\n");
  EXPECT_EQ(found.choices.size(), 5U);
  EXPECT_EQ(found.warning,
            (folder_ / "loops").native() + ":3: 'a+0x1' stands in line 1 already, which counts; delete one of them");
}

TEST_F(loops_file_test, what_is_echoed_is_short_and_harmless) {
  EXPECT_EQ(refusal("a\x1b[2Jb steal\n"), ":1: 'a?[2Jb' names no site; write `module+0xOFFSET` or `file.c:LINE`");
  EXPECT_LT(refusal(std::string(100000, 'x')).size(), 200U);
  EXPECT_LT(refusal("a+0x1 " + std::string(100000, 'x')).size(), 200U);
}

TEST_F(loops_file_test, a_file_that_cannot_be_read) {
  EXPECT_TRUE(refusal_of(folder_ / "none").starts_with(": cannot be read"));
  EXPECT_TRUE(refusal_of(folder_).starts_with(": not a regular file"));
  const auto pipe = folder_ / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_TRUE(refusal_of(pipe).starts_with(": not a regular file"));
  const auto large = write("large", "a+0x1 steal\n");
  std::filesystem::resize_file(large, 16U << 20);
  EXPECT_TRUE(refusal_of(large).starts_with(": too large"));
}

TEST_F(loops_file_test, what_is_printed_can_be_read_back) {
  for (const char* module : {"app", "my app", "a#b", "a+b", "a:3", "a.c:3 b", "a+0x1 b", "\xC3\xBC"}) {
    const auto site = std::string(module) + "+0x12f4";
    const auto found = read(loops_file_line(site, "dynamic,8", "a.c:3 (main)")).choices;
    ASSERT_EQ(found.size(), 1U) << site;
    EXPECT_EQ(found[0].site, site);
    EXPECT_EQ(found[0].schedule, "dynamic,8");
  }
  EXPECT_EQ(loops_file_line("app+0x12", "steal", "a.c:3\n(x)"), "app+0x12 steal  # a.c:3?(x)\n");
}

TEST_F(loops_file_test, a_name_that_a_loops_file_cannot_hold_is_a_comment) {
  for (const char* module : {"a\nb", "#a", "a #b", " a", "a\x1b", "a/b", ""}) {
    const auto line = loops_file_line(std::string(module) + "+0x12", "steal", "a.c:3");
    EXPECT_TRUE(line.starts_with("# ")) << line;
    EXPECT_TRUE(line.ends_with("  # a.c:3: a loops file cannot hold this name; rename the file\n")) << line;
    EXPECT_TRUE(read(line).choices.empty()) << line;
  }
}

}  // namespace
}  // namespace steelyard::tool
