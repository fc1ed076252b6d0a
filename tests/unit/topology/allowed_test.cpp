// SPDX-License-Identifier: Apache-2.0
#include "topology/allowed.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace steelyard::topology {
namespace {

namespace fs = std::filesystem;

/// A made-up file system below a folder of its own.
class cgroups : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "cgroups.XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    root_ = pattern;
  }
  void TearDown() override { fs::remove_all(root_); }

  void write(const std::string& path, const std::string& text) const {
    fs::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << text;
  }
  void v2(const std::string& group, const std::string& mounted = "/") const {
    write("proc/self/cgroup", "0::" + group + "\n");
    write("proc/self/mountinfo", "22 1 0:20 / / rw - ext4 /dev/sda1 rw\n30 22 0:26 " + mounted +
                                     " /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n");
  }
  void v1(const std::string& group, const std::string& mounted = "/") const {
    write("proc/self/cgroup",
          "7:memory:" + group + "\n4:cpu,cpuacct:" + group + "\n1:name=systemd:/init.scope\n0::/\n");
    write("proc/self/mountinfo", "31 22 0:27 " + mounted +
                                     " /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n" +
                                     "32 22 0:28 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n");
  }
  std::optional<double> quota() const { return cgroup_quota(root_); }

  fs::path root_;
};

TEST_F(cgroups, no_proc_means_no_quota) { EXPECT_EQ(quota(), std::nullopt); }

TEST_F(cgroups, v2_without_a_limit) {
  v2("/user.slice");
  write("sys/fs/cgroup/user.slice/cpu.max", "max 100000\n");
  EXPECT_EQ(quota(), std::nullopt);
}

TEST_F(cgroups, v2_quota_of_the_own_group) {
  v2("/user.slice");
  write("sys/fs/cgroup/user.slice/cpu.max", "150000 100000\n");
  EXPECT_EQ(quota(), 1.5);
}

TEST_F(cgroups, v2_a_parent_may_be_tighter) {
  v2("/a/b/c");
  write("sys/fs/cgroup/a/cpu.max", "max 100000\n");
  write("sys/fs/cgroup/a/b/cpu.max", "200000 100000\n");
  write("sys/fs/cgroup/a/b/c/cpu.max", "800000 100000\n");
  EXPECT_EQ(quota(), 2.0);
}

TEST_F(cgroups, v2_container_sees_its_group_as_the_top) {
  v2("/");
  write("sys/fs/cgroup/cpu.max", "50000 100000\n");
  EXPECT_EQ(quota(), 0.5);
}

TEST_F(cgroups, v2_own_group_outside_the_namespace) {
  v2("/../../other");
  write("sys/fs/cgroup/cpu.max", "300000 100000\n");
  EXPECT_EQ(quota(), 3.0);
}

TEST_F(cgroups, v2_mount_shows_a_part_of_the_tree) {
  v2("/docker/abc/sub", "/docker/abc");
  write("sys/fs/cgroup/cpu.max", "max 100000\n");
  write("sys/fs/cgroup/sub/cpu.max", "250000 100000\n");
  EXPECT_EQ(quota(), 2.5);
}

TEST_F(cgroups, v2_mount_shows_a_sibling) {
  v2("/docker/abcdef", "/docker/abc");
  write("sys/fs/cgroup/cpu.max", "100000 100000\n");
  write("sys/fs/cgroup/def/cpu.max", "1 100000\n");
  EXPECT_EQ(quota(), 1.0);
}

TEST_F(cgroups, v1_quota_of_the_own_group) {
  v1("/docker/abc");
  write("sys/fs/cgroup/cpu,cpuacct/docker/abc/cpu.cfs_quota_us", "400000\n");
  write("sys/fs/cgroup/cpu,cpuacct/docker/abc/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(quota(), 4.0);
}

TEST_F(cgroups, v1_nested_and_unlimited) {
  v1("/a/b");
  write("sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_quota_us", "100000\n");
  write("sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_period_us", "50000\n");
  write("sys/fs/cgroup/cpu,cpuacct/a/b/cpu.cfs_quota_us", "-1\n");
  write("sys/fs/cgroup/cpu,cpuacct/a/b/cpu.cfs_period_us", "50000\n");
  EXPECT_EQ(quota(), 2.0);
}

TEST_F(cgroups, mount_point_with_a_space) {
  write("proc/self/cgroup", "0::/\n");
  write("proc/self/mountinfo", "30 22 0:26 / /sys/my\\040groups rw - cgroup2 none rw\n");
  write("sys/my groups/cpu.max", "700000 100000\n");
  EXPECT_EQ(quota(), 7.0);
}

TEST_F(cgroups, malformed_files_limit_nothing) {
  for (const char* text : {"", "max", "100000", "0 100000", "100000 0", "-5 100000", "a lot"}) {
    v2("/g");
    write("sys/fs/cgroup/g/cpu.max", text);
    EXPECT_EQ(quota(), std::nullopt) << '"' << text << '"';
  }
  write("proc/self/cgroup", "nonsense\n");
  EXPECT_EQ(quota(), std::nullopt);
}

TEST(effective, rounds_the_quota_up_to_at_least_one) {
  EXPECT_EQ((cores{8, 8, 0.01}.effective()), 1U);
  EXPECT_EQ((cores{8, 8, 1.0}.effective()), 1U);
  EXPECT_EQ((cores{8, 8, 1.5}.effective()), 2U);
  EXPECT_EQ((cores{8, 8, 1e30}.effective()), 8U);
  EXPECT_EQ((cores{8, 4, 6.0}.effective()), 4U);
  EXPECT_EQ((cores{8, 4, std::nullopt}.effective()), 4U);
}

TEST(allowed, this_process_may_use_a_core) {
  const auto found = allowed();
  EXPECT_GE(found.affinity, 1U);
  EXPECT_GE(found.online, 1U);
  EXPECT_GE(found.effective(), 1U);
  EXPECT_LE(found.effective(), found.affinity);
}

}  // namespace
}  // namespace steelyard::topology
