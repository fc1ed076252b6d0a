// SPDX-License-Identifier: Apache-2.0
#include "read/source_loops.hpp"

#include "scratch.hpp"

namespace steelyard::tool {
namespace {

constexpr const char* two_loops = R"(double a[1000];
void work(int n) {
#pragma omp parallel for schedule(dynamic)
  for (int i = 0; i < n; ++i) a[i] += i;
#pragma omp parallel
  {
#pragma omp for schedule(guided)
    for (int i = 0; i < n; ++i) a[i] += i;
  }
}
)";

class source_loops_test : public scratch {
 protected:
  [[nodiscard]] std::filesystem::path library(const std::string& options) const {
    return compile("libwork.so", two_loops, "-shared -fPIC -fopenmp " + options);
  }
};

TEST(same_source, a_path_a_part_of_it_or_its_name) {
  for (const char* wanted : {"a.c", "src/a.c", "/home/u/src/a.c", "./a.c", "../src/a.c", "src/../src/a.c"}) {
    EXPECT_TRUE(same_source("/home/u/src/a.c", wanted)) << wanted;
  }
  for (const char* wanted : {"b.c", "c", "rc/a.c", "other/a.c", "/src/x/a.c", ""}) {
    EXPECT_FALSE(same_source("/home/u/src/a.c", wanted)) << wanted;
  }
  EXPECT_TRUE(same_source("a.c", "/home/u/src/a.c"));
  EXPECT_FALSE(same_source("/a.c", "/home/u/src/a.c"));
}

TEST_F(source_loops_test, loops_by_their_lines) {
  for (const char* options : {"-O0 -g", "-O2 -g", "-O3 -g", "-O0 -g1", "-O2 -g -fno-plt"}) {
    const auto file = library(options);
    if (file.empty()) GTEST_SKIP() << "no OpenMP here";
    const source_loops loops({file});
    const auto lines = loops.lines_of("libwork.so.c");
    ASSERT_EQ(lines.size(), 2U) << options;
    EXPECT_TRUE(lines[0] == 3 || lines[0] == 4) << options;
    EXPECT_TRUE(lines[1] == 7 || lines[1] == 8) << options;
    ASSERT_EQ(loops.at("libwork.so.c", lines[1]).size(), 1U) << options;
    EXPECT_EQ(loops.at("libwork.so.c", lines[1])[0].module, "libwork.so");
    EXPECT_TRUE(loops.at("libwork.so.c", 2).empty());
    EXPECT_TRUE(loops.at("other.c", lines[1]).empty());
    EXPECT_FALSE(loops.without_lines());
    EXPECT_FALSE(loops.any_of_clang());
  }
}

TEST_F(source_loops_test, code_without_lines) {
  const auto file = library("-O2");
  if (file.empty()) GTEST_SKIP() << "no OpenMP here";
  const source_loops loops({file});
  EXPECT_FALSE(loops.empty());
  EXPECT_TRUE(loops.without_lines());
  EXPECT_TRUE(source_loops({compile("plain.so", "int f(void) { return 1; }", "-shared -fPIC -g")}).empty());
  EXPECT_TRUE(source_loops({folder_ / "none", write("text", "no program")}).empty());
}

}  // namespace
}  // namespace steelyard::tool
