// SPDX-License-Identifier: Apache-2.0
#include "read/translate.hpp"

#include <fmt/format.h>

#include <fstream>
#include <iterator>

#include "scratch.hpp"

namespace steelyard::tool {
namespace {

// Lines 3 and 4 are two loops of the program, lines 9 and 10 one.
constexpr const char* program = R"(double a[1000];
static inline __attribute__((always_inline)) void part(int n) {
#pragma omp for schedule(dynamic)
  for (int i = 0; i < n; ++i) a[i] += i;
}
void work(int n) {
#pragma omp parallel
  { part(n); part(n - 1); }
#pragma omp parallel for schedule(guided)
  for (int i = 0; i < n; ++i) a[i] += i;
}
)";

class translate_test : public scratch {
 protected:
  [[nodiscard]] source_loops loops(const std::string& options) const {
    return source_loops({compile("work.so", program, "-shared -fPIC -fopenmp " + options)});
  }

  [[nodiscard]] translated_lines translated(const std::string& lines, const source_loops& known) const {
    return translate(read_loops_file(write("loops", lines)), known, "loops.txt", "app");
  }
};

TEST_F(translate_test, a_line_becomes_offsets) {
  const auto known = loops("-O2 -g");
  if (known.empty()) GTEST_SKIP() << "no OpenMP here";
  const auto line = known.lines_of("work.so.c").back();
  const auto made = translated(fmt::format("other+0x12 wsr\nwork.so.c:{} steal\n", line), known);
  ASSERT_EQ(known.at("work.so.c", line).size(), 1U);
  EXPECT_EQ(made.text, fmt::format("other+0x12 wsr\n{} steal\n", known.at("work.so.c", line)[0].text()));
  EXPECT_TRUE(made.remarks.empty());
}

TEST_F(translate_test, several_loops_in_a_line_are_all_meant) {
  const auto known = loops("-O2 -g");
  if (known.empty()) GTEST_SKIP() << "no OpenMP here";
  const auto line = known.lines_of("work.so.c").front();
  const auto made = translated(fmt::format("work.so.c:{} dynamic,8\n", line), known);
  const auto sites = known.at("work.so.c", line);
  ASSERT_EQ(sites.size(), 2U);
  EXPECT_EQ(made.text, fmt::format("{}? dynamic,8\n{}? dynamic,8\n", sites[0].text(), sites[1].text()));
  ASSERT_EQ(made.remarks.size(), 1U);
  EXPECT_EQ(made.remarks[0],
            fmt::format("loops.txt:1: work.so.c:{}: 2 loops stand there; all of them run by dynamic,8", line));
}

TEST_F(translate_test, a_line_without_a_loop_is_said_and_left_out) {
  const auto known = loops("-O2 -g");
  if (known.empty()) GTEST_SKIP() << "no OpenMP here";
  const auto lines = known.lines_of("work.so.c");
  ASSERT_EQ(lines.size(), 2U);
  const auto made = translated("work.so.c:1 steal\nx.c:3 steal\n", known);
  EXPECT_EQ(made.text, "");
  ASSERT_EQ(made.remarks.size(), 2U);
  EXPECT_EQ(made.remarks[0],
            fmt::format("loops.txt:1: work.so.c:1: no such loop in app: those that can be taken stand in lines {}, {}",
                        lines[0], lines[1]));
  EXPECT_TRUE(
      made.remarks[1].ends_with("no loop that can be taken stands in that file; compare prints those there are"));
  const auto plain = translated("work.so.c:6 steal\n", loops("-O2"));
  ASSERT_EQ(plain.remarks.size(), 1U);
  EXPECT_TRUE(plain.remarks[0].ends_with("it was built without -g; build it with -g, or write module+0xOFFSET"));
}

TEST_F(translate_test, a_line_that_may_be_absent_stays_so_and_is_not_missed) {
  const auto known = loops("-O2 -g");
  if (known.empty()) GTEST_SKIP() << "no OpenMP here";
  const auto line = known.lines_of("work.so.c").back();
  const auto made = translated(fmt::format("work.so.c:1? steal\nwork.so.c:{}? steal\n", line), known);
  EXPECT_EQ(made.text, fmt::format("{}? steal\n", known.at("work.so.c", line)[0].text()));
  EXPECT_TRUE(made.remarks.empty());
}

TEST_F(translate_test, the_text_is_in_a_file) {
  std::ifstream file(open_file_with("app+0x12 steal\n"));
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  EXPECT_EQ(text, "app+0x12 steal\n");
}

}  // namespace
}  // namespace steelyard::tool
