// SPDX-License-Identifier: Apache-2.0
// Dataflow at the edges of a process: without memory, when it ends, in its children.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <new>
#include <regex>
#include <steelyard/task.hpp>
#include <string>
#include <thread>

#include "helpers.hpp"

namespace {

using namespace dataflow_tests;
using loop_tests::in_child;

void append_digit(rw<number> it, number digit) { *it = *it * 31 + digit; }

/// Its threads have all the memory that they ever need, but that of frames.
void begin_threads(unsigned threads) {
  rendezvous all(static_cast<int>(threads));
  steelyard::join_each(threads, [&all](std::size_t i) {
    const std::string own(100 + i, 'x');
    REQUIRE(own.back() == 'x' && all.come());
  });
}

number digits_appended(number n) {
  number all = 0;
  for (number i = 0; i < n; ++i) all = all * 31 + i;
  return all;
}

void tree(rwp<number> it, int depth) {
  fork_task(append_digit, it, 1U);
  if (depth > 0) {
    fork_task(tree, it, depth - 1);
    fork_task(tree, it, depth - 1);
  }
  fork_task(append_digit, it, 2U);
}

/// More tasks than a small arena holds, at every depth; those that find no room at all are calls.
int run_in_little_memory(unsigned threads, std::size_t bytes) {
  const number in_a_row = bytes != 0 ? 50'000 : 1'000;  // each looks for memory, where there is none
  pool(threads).run([=] {
    begin_threads(threads);
    number expected = 0;
    {
      const steelyard::sequential here;
      shared<number> it(0U);
      fork_task(tree, it, 8);
      expected = *it;
    }
    loop_tests::limit_address_space(bytes);
    for (int round = 0; round < 5; ++round) {
      shared<number> it(0U);
      for (number i = 0; i < in_a_row; ++i) fork_task(append_digit, it, i);
      sync_tasks();
      REQUIRE(*it == digits_appended(in_a_row));
      shared<number> other(0U);
      fork_task(tree, other, 8);
      sync_tasks();
      REQUIRE(*other == expected);
      std::atomic<int> ran{0};
      for (int i = 0; i < 300; ++i) {
        fork_task(
            [&ran](const std::array<number, 400>& much) {
              fork_task([&ran](const std::array<number, 400>& its) { ran += static_cast<int>(its[0]); }, much);
              ran += static_cast<int>(much[0]);
            },
            std::array<number, 400>{1});
      }
      sync_tasks();
      REQUIRE(ran == 600);
    }
  });
  return 0;
}

TEST(Process, WithLittleMemory) {
  if (under_sanitizer) GTEST_SKIP() << "sanitizers need address space";
  for (const unsigned threads : {1U, 2U, 4U}) {
    for (const std::size_t bytes : {std::size_t{1} << 20, std::size_t{3} << 20}) {
      const auto how = in_child({}, [=] { return run_in_little_memory(threads, bytes); });
      EXPECT_TRUE(how.fine()) << threads << " threads, " << bytes << " bytes: " << how;
    }
  }
}

TEST(Process, WithoutMemory) {
  if (under_sanitizer) GTEST_SKIP() << "sanitizers need address space";
  for (const unsigned threads : {1U, 2U}) {
    const auto how = in_child({}, [=] { return run_in_little_memory(threads, 0); });
    EXPECT_TRUE(how.fine()) << threads << " threads: " << how;
  }
}

/// A recording of more tasks than memory has room for says so, and nothing of it has run.
TEST(Process, ARecordingThatDoesNotFit) {
  if (under_sanitizer) GTEST_SKIP() << "sanitizers need address space";
  const auto how = in_child({}, [] {
    loop_tests::limit_address_space(std::size_t{3} << 20);
    shared<number> it(0U);
    bool is_said = false;
    try {
      const steelyard::recording much([&it] {
        for (number i = 0; i < 100'000; ++i) fork_task(append_digit, it, i);
      });
    } catch (const std::bad_alloc&) {
      is_said = true;
    }
    REQUIRE(is_said);
    REQUIRE(*it == 0);
    return 0;
  });
  EXPECT_TRUE(how.fine()) << how;
}

/// Whom thieves ask changes no result. What each thread has asked for adds up to what all have; what is not known is told once.
TEST(Process, VictimsAtRandomOrNear) {
  const auto with = [](const char* victims) {
    return in_child({{"STEELYARD_VICTIMS", victims}}, [] {
      for (int round = 0; round < 5; ++round) {
        steelyard::pool all(4);
        const auto run = [] {
          shared<number> its[4] = {shared<number>(0U), shared<number>(0U), shared<number>(0U), shared<number>(0U)};
          for (int i = 0; i < 400; ++i) {
            fork_task(
                [](steelyard::rw<number> it) {
                  loop_tests::compute(std::chrono::microseconds(20));
                  ++*it;
                },
                its[i % 4]);
          }
          sync_tasks();
          for (auto& each : its) REQUIRE(*each == 100);
        };
        do all.run(run);
        while (counts_of(all).stolen == 0);
        const auto counts = counts_of(all);
        steelyard_task_counts sum{};
        for (std::uint32_t i = 0; i <= 4; ++i) {
          steelyard_task_counts one{};
          steelyard_pool_thread_task_counts(all.handle(), i, &one);
          sum.stolen += one.stolen;
          sum.refused += one.refused;
          sum.analysed += one.analysed;
        }
        REQUIRE(sum.stolen == counts.stolen && sum.analysed == counts.analysed);
      }
      return 0;
    });
  };
  for (const char* const known : {"random", "near", ""}) {
    const auto how = with(known);
    EXPECT_TRUE(how.fine()) << known << ": " << how;
    EXPECT_EQ(how.errors, "");
  }
  const auto how = with("far");
  EXPECT_TRUE(how.fine()) << how;
  EXPECT_EQ(how.errors, "steelyard: 'far' in STEELYARD_VICTIMS is ignored; write near or random\n");
}

void say(const char* text) { std::fprintf(stderr, "%s;", text); }

/// The thread of main ends when main does, or calls exit; what it has forked and not waited for runs.
TEST(Process, MainEndsWithoutAWait) {
  const auto how = in_child({}, [] {
    fork_task([] {
      say("a task");
      fork_task([] { say("its own"); });
    });
    return 0;
  });
  EXPECT_TRUE(how.fine()) << how;
  EXPECT_EQ(how.errors, "a task;its own;");
}

/// What runs behind the end of main still may fork.
TEST(Process, AfterMainHasEnded) {
  for (const bool before : {false, true}) {
    const auto how = in_child({}, [before] {
      std::atexit([] {
        shared<number> it(0U);
        for (number i = 0; i < 1000; ++i) fork_task(append_digit, it, i);
        sync_tasks();
        say(*it == digits_appended(1000) ? "right" : "wrong");
      });
      if (before) {
        fork_task([] { say("main"); });
        sync_tasks();
      }
      return 0;
    });
    EXPECT_TRUE(how.fine()) << how;
    EXPECT_EQ(how.errors, before ? "main;right;" : "right;");
  }
}

/// The same for the end of a thread, in the destructor of what belongs to it.
TEST(Process, AfterAThreadHasEnded) {
  struct last {
    ~last() {
      shared<number> it(0U);
      for (number i = 0; i < 1000; ++i) fork_task(append_digit, it, i);
      sync_tasks();
      say(*it == digits_appended(1000) ? "right" : "wrong");
    }
  };
  const auto how = in_child({}, [] {
    std::thread([] {
      thread_local last goes_last;
      static_cast<void>(&goes_last);
      fork_task([] { say("a task"); });
      sync_tasks();
    }).join();
    return 0;
  });
  EXPECT_TRUE(how.fine()) << how;
  EXPECT_EQ(how.errors, "a task;right;");
}

/// A child has copies of what its parent has forked, which are not its own to run.
TEST(Process, AForkedChildLeavesItsParentsTasks) {
  const auto how = in_child({}, [] {
    fork_task([] { say("once"); });
    const pid_t child = fork();
    if (child == 0) std::exit(0);
    int status = -1;
    REQUIRE(waitpid(child, &status, 0) == child && status == 0);
    sync_tasks();
    return 0;
  });
  EXPECT_TRUE(how.fine()) << how;
  // LeakSanitizer may add lines, before the task's word or after it, that it missed the parent's threads.
  EXPECT_EQ(std::regex_replace(how.errors, std::regex("==[0-9]+==[^\n]*\n"), ""), "once;") << how;
}

/// And it begins anew where nothing was pending.
TEST(Process, AForkedChildForks) {
  if (loop_tests::under_thread_sanitizer) GTEST_SKIP() << "it has no threads in a child";
  const auto how = in_child({}, [] {
    const auto work = [] {
      shared<number> it(0U);
      for (number i = 0; i < 1000; ++i) fork_task(append_digit, it, i);
      sync_tasks();
      return *it == digits_appended(1000);
    };
    REQUIRE(work());
    const pid_t child = fork();
    if (child == 0) std::exit(work() ? 0 : 3);
    int status = -1;
    REQUIRE(waitpid(child, &status, 0) == child && status == 0);
    REQUIRE(work());
    return 0;
  });
  EXPECT_TRUE(how.fine()) << how;
}

/// What the program allocates comes first.
TEST(Process, TakesAModestPartOfTheAddressSpace) {
  if (loop_tests::under_sanitizer) GTEST_SKIP() << "a sanitizer needs its address space";
  const auto how = in_child({}, [] {
    pool one(1);
    long pages = 0;
    std::FILE* const used = std::fopen("/proc/self/statm", "r");
    REQUIRE(used != nullptr && std::fscanf(used, "%ld", &pages) == 1);
    std::fclose(used);
    const auto limit = static_cast<rlim_t>(pages * sysconf(_SC_PAGESIZE)) + (rlim_t{1536} << 20);
    const rlimit all{limit, limit};
    REQUIRE(setrlimit(RLIMIT_AS, &all) == 0);
    void* memory = nullptr;
    one.run([&memory] {
      steelyard::fork_task([] {});
      steelyard::sync_tasks();
      memory = std::malloc(std::size_t{1} << 30);
    });
    std::free(memory);
    return memory != nullptr ? 0 : 1;
  });
  EXPECT_TRUE(how.fine()) << how;
}

}  // namespace
