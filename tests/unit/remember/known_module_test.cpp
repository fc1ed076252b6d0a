// SPDX-License-Identifier: Apache-2.0
#include "remember/known_module.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <memory>
#include <string>

#include "learn/automatic.hpp"
#include "schedules/registry.hpp"
#include "scratch_folder.hpp"

namespace steelyard::remember {
namespace {

#if __GLIBC_PREREQ(2, 35)
using remember_tests::scratch_folder;

void code() {}
const auto here = reinterpret_cast<std::uintptr_t>(&code);

std::string host() {
  char name[HOST_NAME_MAX + 2] = {};
  gethostname(name, sizeof name - 1);
  return name;
}

/// This program's (CMakeLists.txt).
std::string file() { return "0123456789abcdef@" + host(); }

learn::known_loop loop_at(std::uint64_t offset, std::uint64_t iterations = 1000, const char* schedule = "guided") {
  learn::known_loop loop{
      offset, "some", 1, {iterations, 4, {schedules::find(schedule), 0, 4, false}, 700, 2500, 0, 90, {}}};
  loop.what.costs.fill(7);
  return loop;
}

known_module::findings found(std::initializer_list<learn::known_loop> loops) {
  known_module::findings all;
  for (const auto& loop : loops) all.add(loop);
  return all;
}

/// What a chooser begins with, in a process that reads the folder now; "": nothing.
std::string begins_with(const scratch_folder& scratch, const learn::known_loop& like, std::uint64_t n = 1000,
                        std::uint32_t members = 4) {
  known_module module;
  module.read(scratch.told(), here);
  learn::automatic chooser;
  if (!module.recall({like.offset, like.api, like.granule, {}}, n, members, chooser)) return "";
  EXPECT_TRUE(chooser.is_settled());
  return chooser.chosen().schedule->about.name;
}

TEST(KnownModule, WhatOneProcessKeepsTheNextOneRecalls) {
  const scratch_folder scratch;
  known_module module;
  module.read(scratch.told(), here);
  EXPECT_TRUE(module.has_name());
  EXPECT_TRUE(module.is_of_this_process());
  ASSERT_TRUE(module.keep(scratch.told(), "/opt/app", found({loop_at(5), loop_at(9, 1000, "trapezoid")})));
  EXPECT_EQ(scratch.text(file()).find("steelyard knowledge 1\nbuild-id 0123456789abcdef\nhost " + host() +
                                      "\nmodule /opt/app\nloop 5 some 1 1000 4 guided 0 4 chunks 700 2500 0 90 "),
            0U);
  EXPECT_EQ(begins_with(scratch, loop_at(5)), "guided");
  EXPECT_EQ(begins_with(scratch, loop_at(5), 1200), "guided") << "about as many iterations";
  EXPECT_EQ(begins_with(scratch, loop_at(9)), "trapezoid");
  EXPECT_EQ(begins_with(scratch, loop_at(6)), "");
  EXPECT_EQ(begins_with(scratch, loop_at(5), 2000), "");
  EXPECT_EQ(begins_with(scratch, loop_at(5), 1000, 3), "");
  auto other = loop_at(5);
  other.api = "library";
  EXPECT_EQ(begins_with(scratch, other), "");
  other = loop_at(5);
  other.granule = 2;
  EXPECT_EQ(begins_with(scratch, other), "");
}

TEST(KnownModule, KeepsWhatOthersKnow) {
  const scratch_folder scratch;
  known_module module;
  module.read(scratch.told(), here);
  ASSERT_TRUE(module.keep(scratch.told(), "/opt/app", found({loop_at(5), loop_at(9)})));
  ASSERT_TRUE(module.keep(scratch.told(), "/opt/app", found({loop_at(9, 1100, "static"), loop_at(11)})));
  EXPECT_EQ(begins_with(scratch, loop_at(5)), "guided");
  EXPECT_EQ(begins_with(scratch, loop_at(9)), "static");
  EXPECT_EQ(begins_with(scratch, loop_at(11)), "guided");
}

TEST(KnownModule, WritesNothingWhereNothingWasFound) {
  const scratch_folder scratch;
  known_module module;
  module.read(scratch.told(), here);
  EXPECT_TRUE(module.keep(scratch.told(), "/opt/app", found({})));
  EXPECT_EQ(scratch.files(), 0U);
}

TEST(KnownModule, KeepsNoMoreLoopsThanAFileHas) {
  known_module::findings all;
  for (std::uint64_t at = 0; at < learn::most_known_loops + 10; ++at) all.add(loop_at(at));
  EXPECT_EQ(all.count(), learn::most_known_loops);
  const scratch_folder scratch;
  known_module module;
  module.read(scratch.told(), here);
  ASSERT_TRUE(module.keep(scratch.told(), "/opt/app", all));
  EXPECT_LE(scratch.text(file()).size(), learn::largest_knowledge);
  EXPECT_EQ(begins_with(scratch, loop_at(learn::most_known_loops - 1)), "guided");
}

TEST(KnownModule, AFileThatIsWrongIsNothingAndIsWrittenAnew) {
  const scratch_folder scratch;
  known_module module;
  module.read(scratch.told(), here);
  ASSERT_TRUE(module.keep(scratch.told(), "/opt/app", found({loop_at(5)})));
  const auto right = scratch.text(file());
  auto changed = right;
  changed[changed.find("loop 5 ") + 5] = '6';
  for (const auto& wrong :
       {right.substr(0, right.size() - 1), changed, std::string(), "steelyard knowledge 2\n" + right}) {
    scratch.write(file(), wrong);
    EXPECT_EQ(begins_with(scratch, loop_at(5)), "");
    EXPECT_EQ(begins_with(scratch, loop_at(6)), "");
  }
  ASSERT_TRUE(module.keep(scratch.told(), "/opt/app", found({loop_at(5)})));
  EXPECT_EQ(scratch.text(file()), right);
}

TEST(KnownModule, NoLinkIsFollowedAndNoPipeIsWaitedFor) {
  const scratch_folder scratch;
  known_module module;
  module.read(scratch.told(), here);
  ASSERT_TRUE(module.keep(scratch.told(), "/opt/app", found({loop_at(5)})));
  std::filesystem::rename(scratch.path() / file(), scratch.path() / "other");
  std::filesystem::create_symlink("other", scratch.path() / file());
  EXPECT_EQ(begins_with(scratch, loop_at(5)), "");
  std::filesystem::remove(scratch.path() / file());
  ASSERT_EQ(mkfifo((scratch.path() / file()).c_str(), 0600), 0);
  EXPECT_EQ(begins_with(scratch, loop_at(5)), "");
}

TEST(KnownModule, WhereNoObjectLiesThereIsNoName) {
  const scratch_folder scratch;
  const auto heap = std::make_unique<int>(1);
  known_module module;
  module.read(scratch.told(), reinterpret_cast<std::uintptr_t>(heap.get()));
  EXPECT_FALSE(module.has_name());
  EXPECT_FALSE(module.is_of_this_process());
}

TEST(KnownModule, TheProgramsErrorsAreItsOwn) {
  folder none;
  std::string("/nowhere").copy(none.path, sizeof none.path - 1);
  errno = 77;
  known_module module;
  module.read(none, here);
  EXPECT_EQ(errno, 77);
  EXPECT_FALSE(module.keep(none, "/opt/app", found({loop_at(5)})));
}

TEST(KnownModule, AChildOfForkIsAnotherProcess) {
  known_module module;
  module.read({}, here);
  const pid_t child = fork();
  if (child == 0) _exit(module.is_of_this_process() ? 1 : 0);
  int status = 1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}
#endif

}  // namespace
}  // namespace steelyard::remember
