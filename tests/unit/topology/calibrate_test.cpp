// SPDX-License-Identifier: Apache-2.0
#include "topology/calibrate.hpp"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <set>
#include <string>
#include <thread>

#include "topology/fetches.hpp"

namespace {

/// The narrowest mask that the kernel accepts here, in bytes.
std::atomic<std::size_t> kernel_mask{0};

}  // namespace

/// In place of libc's: a machine with more processors than this one.
extern "C" int sched_getaffinity(pid_t thread, std::size_t bytes, cpu_set_t* mask) noexcept {
  if (bytes < kernel_mask) {
    errno = EINVAL;
    return -1;
  }
  CPU_ZERO_S(bytes, mask);
  return syscall(SYS_sched_getaffinity, thread, bytes, mask) < 0 ? -1 : 0;
}

namespace steelyard::topology {
namespace {

using std::chrono::milliseconds;

TEST(calibrate, every_row_has_a_cost_or_a_reason) {
  std::set<std::string> names;
  for (const auto& row : calibrate(milliseconds(80))) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_NE(row.took.has_value(), row.missing[0] != '\0') << row.name;
    if (!row.took) continue;
    EXPECT_GT(row.took->median_ns, 0) << row.name;
    EXPECT_LE(row.took->median_ns, row.took->p90_ns) << row.name;
  }
  EXPECT_EQ(names.size(), 8 + fetch_rows());
}

TEST(calibrate, one_core_has_no_partner) {
  std::thread([] {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(static_cast<unsigned>(sched_getcpu()), &set);
    ASSERT_EQ(sched_setaffinity(0, sizeof set, &set), 0);
    int measured = 0;
    for (const auto& row : calibrate(milliseconds(80))) measured += row.took ? 1 : 0;
    EXPECT_EQ(measured, 4);  // the clock, the uncontended compare-and-swap, and one thread that fetches chunks
  }).join();
}

std::set<std::string> left_out() {
  std::set<std::string> names;
  for (const auto& row : calibrate(milliseconds(80))) {
    if (std::string(row.missing) == "needs two cores") names.insert(row.name);
  }
  return names;
}

TEST(calibrate, finds_its_cores_where_the_kernel_has_masks_wider_than_cpu_set_t) {
  const auto as_is = left_out();
  kernel_mask = 2 * sizeof(cpu_set_t);
  const auto wide = left_out();
  kernel_mask = 0;
  EXPECT_EQ(wide, as_is);
}

TEST(calibrate, measures_signals_for_a_caller_that_blocks_them_all) {
  std::thread([] {
    sigset_t all;
    sigfillset(&all);
    ASSERT_EQ(pthread_sigmask(SIG_SETMASK, &all, nullptr), 0);
    std::set<std::string> names;
    for (const auto& row : calibrate(milliseconds(80))) names.insert(row.name);
    EXPECT_EQ(names.count("signal"), 1U);
    sigset_t after;
    ASSERT_EQ(pthread_sigmask(SIG_SETMASK, nullptr, &after), 0);
    for (int number = SIGRTMIN; number <= SIGRTMAX; ++number) EXPECT_EQ(sigismember(&after, number), 1) << number;
    struct sigaction handler {};
    ASSERT_EQ(sigaction(SIGRTMAX - 3, nullptr, &handler), 0);
    EXPECT_EQ(handler.sa_handler, SIG_DFL);
  }).join();
}

}  // namespace
}  // namespace steelyard::topology
