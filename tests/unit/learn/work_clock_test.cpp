// SPDX-License-Identifier: Apache-2.0
#include "learn/work_clock.hpp"

#include <linux/perf_event.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <memory>
#include <thread>

#include <gtest/gtest.h>

namespace steelyard::learn {
namespace {

/// Counters of a kernel that the test makes up: each reading is ten more than the one before, of any thread.
struct made_up {
  static inline std::atomic<int> opened{};
  static inline std::atomic<int> closed{};
  static inline std::atomic<int> most{1 << 20};  ///< of counters
  static inline std::atomic<std::uint64_t> count{};
  static inline std::atomic<bool> broken{};
  static inline perf_event_mmap_page page{};

  static int open() { return opened < most ? opened++ : -EMFILE; }
  static const void* page_of(int) { return &page; }
  static bool read(int counter, std::uint64_t& found) {
    EXPECT_LT(counter, opened);
    found = count += 10;
    return !broken;
  }
  static void close(int) { ++closed; }

  static work_clock::source reset(int counters = 1 << 20) {
    opened = closed = 0;
    most = counters;
    count = std::uint64_t{1} << 60;  // no clock ticks for so long
    broken = false;
    return {open, page_of, read, close};
  }
};

bool is_count(std::uint64_t value) { return value > std::uint64_t{1} << 60; }

TEST(work_clock, reads_ticks_unless_it_is_told_otherwise) {
  work_clock clock;
  const std::uint64_t before = support::ticks();
  const std::uint64_t now = clock.now();
  EXPECT_GE(now, before);
  EXPECT_LE(now, support::ticks());
  EXPECT_EQ(clock.price(), 0U);
  EXPECT_EQ(clock.least_ticks(1'000), 1'000U);
}

TEST(work_clock, goes_on_with_ticks_where_the_kernel_gives_no_counter) {
  work_clock clock;
  EXPECT_EQ(clock.count_instructions(made_up::reset(0)), EMFILE);
  EXPECT_FALSE(clock.counts_instructions());
  EXPECT_FALSE(is_count(clock.now()));
  EXPECT_EQ(clock.price(), 0U);
}

TEST(work_clock, goes_on_with_ticks_where_counters_cannot_be_read) {
  work_clock clock;
  const auto kernel = made_up::reset();
  made_up::broken = true;
  EXPECT_EQ(clock.count_instructions(kernel), EIO);
  EXPECT_FALSE(is_count(clock.now()));
}

TEST(work_clock, counts_what_its_threads_do) {
  work_clock clock;
  ASSERT_EQ(clock.count_instructions(made_up::reset()), 0);
  EXPECT_TRUE(clock.counts_instructions());
  const std::uint64_t began = clock.now();
  EXPECT_EQ(clock.now() - began, 10U);
  EXPECT_EQ(clock.least_ticks(1'000), 250U);
}

TEST(work_clock, each_thread_has_a_counter_of_its_own_until_it_ends) {
  work_clock clock;
  ASSERT_EQ(clock.count_instructions(made_up::reset()), 0);
  const int before = made_up::opened;
  const int closed = made_up::closed;
  for (int i = 0; i < 5; ++i) {
    std::thread([&] {
      EXPECT_TRUE(is_count(clock.now()));
      EXPECT_TRUE(is_count(clock.now()));
    }).join();
  }
  EXPECT_EQ(made_up::opened, before + 5);
  EXPECT_EQ(made_up::closed, closed + 5);
}

TEST(work_clock, one_thread_without_a_counter_makes_all_read_ticks) {
  work_clock clock;
  ASSERT_EQ(clock.count_instructions(made_up::reset(2)), 0);
  ASSERT_TRUE(is_count(clock.now()));
  std::thread([&] { EXPECT_FALSE(is_count(clock.now())); }).join();
  EXPECT_FALSE(is_count(clock.now()));
  EXPECT_EQ(clock.price(), 0U);
}

TEST(work_clock, a_child_has_its_own) {
  work_clock clock;
  ASSERT_EQ(clock.count_instructions(made_up::reset()), 0);
  static_cast<void>(clock.now());
  const int before = made_up::opened;
  const pid_t child = fork();
  if (child == 0) {
    static_cast<void>(clock.now());
    _exit(made_up::opened == before + 1 ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

/// Where there are counters: many machines, and most that are virtual, have none to give.
TEST(work_clock, counts_by_the_kernel_or_says_why_not) {
  work_clock clock;
  const int error = clock.count_instructions(instructions_of_kernel);
  EXPECT_EQ(error == 0, clock.counts_instructions());
  const std::uint64_t began = clock.now();
  for (int i = 0; i < 100'000; ++i) asm volatile("");
  const std::uint64_t passed = clock.now() - began;
  EXPECT_GT(passed, 0U);
  if (error == 0) {
    EXPECT_GE(passed, 100'000U);
    EXPECT_LT(passed, 10'000'000U);
  }
}

}  // namespace
}  // namespace steelyard::learn
