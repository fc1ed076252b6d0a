// SPDX-License-Identifier: Apache-2.0
#include "remember/folder.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <initializer_list>
#include <string>
#include <vector>

#include "scratch_folder.hpp"

namespace steelyard::remember {
namespace {

using remember_tests::scratch_folder;

/// What an environment says; `wrong`: the value that is none.
folder told(std::initializer_list<const char*> environment, std::string* wrong = nullptr) {
  std::vector<const char*> all(environment);
  all.push_back(nullptr);
  folder found;
  const char* const value = read(all.data(), found);
  EXPECT_EQ(value != nullptr, wrong != nullptr);
  if (value != nullptr && wrong != nullptr) *wrong = value;
  return found;
}

TEST(Folder, IsWhatTheVariableNames) {
  const auto found = told({"HOME=/x", "STEELYARD_KNOWLEDGE=/a/folder", "PATH=/bin"});
  EXPECT_STREQ(found.path, "/a/folder");
  EXPECT_TRUE(found.is_named());
  EXPECT_TRUE(found.writes);
}

TEST(Folder, IsNoneWhereNothingIsAskedFor) {
  for (const char* said : {"STEELYARD_KNOWLEDGE=", "STEELYARD_KNOWLEDGE=off", "STEELYARD_KNOWLEDGE=0",
                           "STEELYARD_KNOWLEDGES=/a", "XSTEELYARD_KNOWLEDGE=/a"}) {
    const auto found = told({said});
    EXPECT_FALSE(found.is_named()) << said;
    EXPECT_FALSE(found.writes) << said;
  }
  folder found;
  EXPECT_EQ(read(nullptr, found), nullptr);
  EXPECT_FALSE(found.is_named());
}

TEST(Folder, IsAWholePath) {
  std::string wrong;
  EXPECT_FALSE(told({"STEELYARD_KNOWLEDGE=relative"}, &wrong).is_named());
  EXPECT_EQ(wrong, "relative");
  const std::string long_one = "STEELYARD_KNOWLEDGE=/" + std::string(4095, 'x');
  EXPECT_FALSE(told({long_one.c_str()}, &wrong).is_named());
  EXPECT_EQ(wrong.size(), 4096U);
  const std::string longest = long_one.substr(0, long_one.size() - 1);
  EXPECT_TRUE(told({longest.c_str()}).is_named());
}

TEST(Folder, OfAParallelJobRankZeroWrites) {
  for (const std::string name :
       {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "MV2_COMM_WORLD_RANK", "SLURM_PROCID"}) {
    const auto other = told({"STEELYARD_KNOWLEDGE=/a", (name + "=12").c_str()});
    EXPECT_TRUE(other.is_named()) << name;
    EXPECT_FALSE(other.writes) << name;
    EXPECT_TRUE(told({"STEELYARD_KNOWLEDGE=/a", (name + "=0").c_str()}).writes) << name;
  }
}

TEST(Folder, IsTrustedWhereNobodyElseMayWrite) {
  const scratch_folder scratch;
  EXPECT_TRUE(open(scratch.told()).is_open());
  for (const mode_t mode : {0720U, 0702U}) {
    chmod(scratch.path().c_str(), mode);
    EXPECT_FALSE(open(scratch.told()).is_open()) << mode;
  }
  chmod(scratch.path().c_str(), 0700);
  folder none = scratch.told();
  std::string(scratch.path() / "none").copy(none.path, sizeof none.path - 1);
  EXPECT_FALSE(open(none).is_open());
}

TEST(Folder, FilesAreReplacedAsAWhole) {
  const scratch_folder scratch;
  const auto opened = open(scratch.told());
  EXPECT_EQ(replace(opened, "file", ".file.1", "one", 3), 0);
  EXPECT_EQ(scratch.text("file"), "one");
  scratch.write(".file.1", "of a process that has died");
  EXPECT_EQ(replace(opened, "file", ".file.1", "another", 7), 0);
  EXPECT_EQ(scratch.text("file"), "another");
  EXPECT_EQ(scratch.files(), 1U);
}

TEST(Folder, AFileThatCannotBeReplacedStays) {
  const scratch_folder scratch;
  const auto opened = open(scratch.told());
  std::filesystem::create_directory(scratch.path() / "file");
  EXPECT_EQ(replace(opened, "file", ".file.1", "text", 4), EISDIR);
  EXPECT_EQ(scratch.files(), 1U) << "nothing unfinished is left";
  EXPECT_EQ(replace(opened, "none/file", "none/.file.1", "text", 4), ENOENT);
}

TEST(Folder, IsLockedForOneAtATime) {
  const scratch_folder scratch;
  const auto opened = open(scratch.told());
  const auto is_free = [&] {
    const open_descriptor other(::open((scratch.path() / ".lock").c_str(), O_RDWR | O_CLOEXEC));
    return flock(other.get(), LOCK_EX | LOCK_NB) == 0;
  };
  {
    const auto held = lock(opened);
    ASSERT_TRUE(held.is_open());
    EXPECT_FALSE(is_free());
  }
  EXPECT_TRUE(is_free());
}

TEST(Folder, WhoWaitsForLongLeavesWithoutTheLock) {
  const scratch_folder scratch;
  const auto opened = open(scratch.told());
  const auto held = lock(opened);
  const auto other = lock(opened);
  EXPECT_FALSE(other.is_open());
  EXPECT_EQ(errno, EWOULDBLOCK);
}

}  // namespace
}  // namespace steelyard::remember
