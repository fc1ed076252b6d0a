// SPDX-License-Identifier: Apache-2.0
#include "read/elf.hpp"

#include "scratch.hpp"

namespace steelyard::tool {
namespace {

constexpr const char* empty_program = "int main(void) { return 0; }\n";
constexpr const char* calls_openmp = "void GOMP_barrier(void);\nint main(void) { GOMP_barrier(); return 0; }\n";

class elf : public scratch {};

TEST_F(elf, a_dynamic_executable) {
  const auto facts = read_elf(compile("plain", empty_program, ""));
  ASSERT_TRUE(facts);
  EXPECT_TRUE(facts->same_machine);
  EXPECT_FALSE(facts->interpreter.empty());
  EXPECT_FALSE(facts->imports_openmp);
  EXPECT_FALSE(facts->contains_openmp);
  EXPECT_FALSE(facts->mentions_openmp);
}

TEST_F(elf, a_static_executable_has_no_interpreter) {
  const auto file = compile("static", empty_program, "-static");
  if (file.empty()) GTEST_SKIP() << "no static libraries here";
  EXPECT_EQ(read_elf(file).value().interpreter, "");
}

TEST_F(elf, an_openmp_program_imports_its_runtime) {
  const auto file = compile("openmp", calls_openmp, "-fopenmp");
  if (file.empty()) GTEST_SKIP() << "no OpenMP here";
  const auto facts = read_elf(file).value();
  EXPECT_TRUE(facts.imports_openmp);
  EXPECT_FALSE(facts.contains_openmp);
}

TEST_F(elf, a_runtime_inside_is_found_by_its_symbols) {
  const auto facts = read_elf(compile("inside", "void GOMP_parallel(void) {}\nint main(void) { return 0; }\n", ""));
  EXPECT_TRUE(facts.value().contains_openmp);
}

TEST_F(elf, the_names_of_a_runtimes_variables_are_no_runtime) {
  const auto file =
      compile("stripped", "#include <stdlib.h>\nint main(void) { return getenv(\"GOMP_SPINCOUNT\") != 0; }\n", "-s");
  EXPECT_TRUE(read_elf(file).value().mentions_openmp);
  EXPECT_FALSE(read_elf(file).value().contains_openmp);
}

TEST_F(elf, another_machine) {
  const auto file = compile("foreign", empty_program, "");
  std::fstream bytes(file, std::ios::in | std::ios::out | std::ios::binary);
  bytes.seekp(18);           // e_machine
  bytes.write("\x08\0", 2);  // MIPS
  bytes.close();
  const auto facts = read_elf(file).value();
  EXPECT_FALSE(facts.same_machine);
  EXPECT_EQ(facts.machine, "machine 8");
}

TEST_F(elf, what_is_none) {
  EXPECT_EQ(read_elf(folder_ / "missing"), std::nullopt);
  EXPECT_EQ(read_elf(write("text", "#!/bin/sh\n")), std::nullopt);
  EXPECT_EQ(read_elf(write("cut",
                           "\x7f"
                           "ELF")),
            std::nullopt);
  EXPECT_EQ(read_elf(folder_), std::nullopt);
}

}  // namespace
}  // namespace steelyard::tool
