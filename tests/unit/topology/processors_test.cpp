// SPDX-License-Identifier: Apache-2.0
#include "topology/processors.hpp"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <thread>
#include <vector>

namespace {

using steelyard::topology::of_process;
using steelyard::topology::processors;

/// The numbers of those that this process may use.
std::vector<unsigned> usable() {
  const auto all = processors::of_thread(0);
  std::vector<unsigned> found;
  for (unsigned p = 0; found.size() < all.count(); ++p) {
    if (all.holds(p)) found.push_back(p);
  }
  return found;
}

/// What it returns in a child of this process, which it may bind as it likes.
template <class Main>
int in_child(Main&& main) {
  const pid_t child = fork();
  if (child == 0) _exit(main());
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

processors only(unsigned one) {
  processors set;
  set.add(one);
  return set;
}

TEST(Processors, IsASet) {
  processors set;
  EXPECT_EQ(set.count(), 0U);
  EXPECT_FALSE(set.holds(0));
  for (const unsigned p : {0U, 63U, 64U, 5000U}) set.add(p);
  set.add(63);
  EXPECT_EQ(set.count(), 4U);
  EXPECT_TRUE(set.holds(5000) && set.holds(64) && !set.holds(65) && !set.holds(1U << 20));
  processors same;
  same.add(only(5000));
  EXPECT_FALSE(same == set);
  same.add(set);
  EXPECT_TRUE(same == set);
  processors large = only(5000);
  large.add(only(3));
  EXPECT_EQ(large.count(), 2U);
}

TEST(Processors, WhatIsRemovedIsGone) {
  processors set = only(3);
  set.add(4000);
  set.remove(4000);
  EXPECT_TRUE(set == only(3)) << "as if it had never been there";
  set.remove(5000);
  set.remove(2);
  EXPECT_TRUE(set == only(3));
  set.remove(3);
  EXPECT_EQ(set.count(), 0U);
}

TEST(Processors, OfThreads) {
  EXPECT_EQ(processors::of_thread(0).count(), processors::of_thread(getpid()).count());
  EXPECT_EQ(processors::of_thread(0x3fffffff).count(), 0U) << "no such thread";
  std::thread([] {
    ASSERT_TRUE(only(usable().front()).bind_this_thread());
    EXPECT_EQ(processors::of_thread(0).count(), 1U);
  }).join();
  EXPECT_FALSE(only(4000).bind_this_thread());
}

TEST(Processors, ADeliberateMaskCounts) {
  for (const unsigned p : usable()) {
    EXPECT_EQ(in_child([p] {
                for (const char* name : {"OMP_PROC_BIND", "OMP_PLACES", "GOMP_CPU_AFFINITY", "KMP_AFFINITY"})
                  unsetenv(name);
                if (!only(p).bind_this_thread()) return 1;
                return of_process() == only(p) ? 0 : 2;
              }),
              0);
  }
}

/// Where threads other than the main one ask, the main one's mask is what counts.
TEST(Processors, AThreadThatIsBoundIsNotTheProcess) {
  EXPECT_EQ(in_child([] {
              const auto all = processors::of_thread(0);
              int wrong = 0;
              std::thread([&] {
                if (!only(usable().front()).bind_this_thread() || !(of_process() == all)) wrong = 1;
              }).join();
              return wrong;
            }),
            0);
}

/// An OpenMP runtime that binds, as its variables say, and has no places to tell: all threads together.
TEST(Processors, BoundByARuntimeAllThreadsCount) {
  const auto all = usable();
  if (all.size() < 2) GTEST_SKIP() << "one processor";
  EXPECT_EQ(in_child([&] {
              setenv("OMP_PROC_BIND", "true", 1);
              int wrong = 0;
              if (!only(all[0]).bind_this_thread()) return 1;
              std::thread([&] {
                processors both = only(all[0]);
                both.add(all[1]);
                if (!only(all[1]).bind_this_thread() || !(of_process() == both)) wrong = 2;
              }).join();
              return wrong;
            }),
            0);
}

}  // namespace
