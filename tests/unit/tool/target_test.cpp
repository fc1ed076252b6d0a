// SPDX-License-Identifier: Apache-2.0
#include "read/target.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include "scratch.hpp"
#include "text/failure.hpp"

namespace steelyard::tool {
namespace {

constexpr const char* empty_program = "int main(void) { return 0; }\n";

class target_of : public scratch {
 protected:
  int refusal(const std::string& name) const {
    try {
      static_cast<void>(find_program(name));
    } catch (const failure& error) {
      return error.status();
    }
    return 0;
  }
};

TEST_F(target_of, a_plain_program_can_be_reached) {
  const auto found = inspect(compile("plain", empty_program, ""));
  EXPECT_EQ(found.unreachable, "");
  EXPECT_TRUE(found.is_elf);
  EXPECT_FALSE(found.runtime_perhaps_inside);
  EXPECT_NE(found.remark.find("calls no OpenMP runtime itself"), std::string::npos) << found.remark;
}

TEST_F(target_of, scripts_lead_to_their_interpreters) {
  const auto program = compile("plain", empty_program, "");
  EXPECT_EQ(inspect(script("direct", "#!" + program.native() + "\n")).inspected, program);
  EXPECT_EQ(inspect(script("env", "#!/usr/bin/env -S A=b " + program.native() + " -x\n")).inspected, program);
  EXPECT_EQ(inspect(script("nested", "#!" + (folder_ / "direct").native() + "\n")).inspected, program);
  EXPECT_EQ(inspect(script("bare", "exit 0\n")).inspected, "/bin/sh");
  EXPECT_FALSE(inspect(folder_ / "bare").is_elf);
}

TEST_F(target_of, scripts_that_interpret_themselves_end) {
  const auto self = folder_ / "self";
  script("self", "#!" + self.native() + "\n");
  EXPECT_EQ(inspect(self).unreachable, "");
}

TEST_F(target_of, static_programs_are_declined) {
  const auto file = compile("static", empty_program, "-static");
  if (file.empty()) GTEST_SKIP() << "no static libraries here";
  EXPECT_NE(inspect(file).unreachable.find("statically linked"), std::string::npos);
  EXPECT_NE(inspect(script("script", "#!" + file.native() + "\n")).unreachable, "");
}

TEST_F(target_of, a_runtime_inside_is_declined) {
  const auto file = compile("inside", "void __kmpc_fork_call(void) {}\nint main(void) { return 0; }\n", "");
  EXPECT_NE(inspect(file).unreachable.find("OpenMP runtime linked in"), std::string::npos);
}

TEST_F(target_of, privileges_count_when_they_change_who_runs) {
  const auto file = compile("su", empty_program, "");
  ASSERT_EQ(chmod(file.c_str(), 06755), 0);
  struct stat about;
  ASSERT_EQ(stat(file.c_str(), &about), 0);
  if ((about.st_mode & S_ISUID) == 0) GTEST_SKIP() << "this file system drops set-uid";
  EXPECT_EQ(inspect(file, {about.st_uid, about.st_gid}).unreachable, "");
  EXPECT_NE(inspect(file, {about.st_uid + 1, about.st_gid}).unreachable.find("set-uid"), std::string::npos);
  EXPECT_NE(inspect(file, {about.st_uid, about.st_gid + 1}).unreachable.find("set-gid"), std::string::npos);
}

TEST_F(target_of, a_program_that_names_a_runtimes_variables_can_be_reached) {
  const auto file =
      compile("sets", "#include <stdlib.h>\nint main(void) { return setenv(\"KMP_BLOCKTIME\", \"0\", 1); }\n", "-s");
  const auto found = inspect(file);
  EXPECT_EQ(found.unreachable, "");
  EXPECT_TRUE(found.runtime_perhaps_inside);
  EXPECT_NE(found.remark.find("may have one linked in"), std::string::npos) << found.remark;
}

TEST_F(target_of, programs_that_cannot_be_started) {
  EXPECT_EQ(refusal((folder_ / "none").native()), not_found);
  EXPECT_EQ(refusal("steelyard-test-no-such-program"), not_found);
  EXPECT_EQ(refusal(folder_.native()), not_executable);
  const auto file = write("data", "x");
  std::filesystem::permissions(file, std::filesystem::perms::owner_read);
  EXPECT_EQ(refusal(file.native()), not_executable);
  EXPECT_EQ(refusal(file.native() + "/below"), not_found);
  EXPECT_EQ(refusal("sh"), 0);
}

}  // namespace
}  // namespace steelyard::tool
