// SPDX-License-Identifier: Apache-2.0
// STEELYARD_* variables, and processes that may not have all they ask for.
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <steelyard/loop.hpp>
#include <string>
#include <thread>

#include "child.hpp"
#include "loops.hpp"

namespace {

using loop_tests::counts;
using loop_tests::ending;
using loop_tests::in_child;
using steelyard::parallel_for;

bool loop_is_right(const steelyard::loop_options& options = {.always_parallel = true}) {
  counts seen(1000);
  parallel_for(
      0U, 1000U, [&](unsigned i) { seen.ran(i); }, options);
  return seen.wrong() == 0;
}

std::uint32_t allowed_here() {
  cpu_set_t mask;
  sched_getaffinity(0, sizeof mask, &mask);
  return static_cast<std::uint32_t>(CPU_COUNT(&mask));
}

ending with_threads(const char* text, std::uint32_t wanted) {
  return in_child({{"STEELYARD_NUM_THREADS", text}}, [wanted] {
    REQUIRE(loop_is_right());
    if (wanted == 0) {
      REQUIRE(steelyard::threads() >= 1 && steelyard::threads() <= allowed_here());
    } else {
      REQUIRE(steelyard::threads() == wanted);
    }
    REQUIRE(loop_is_right());
    return 0;
  });
}

TEST(Environment, NumberOfThreads) {
  for (const std::uint32_t n : {1U, 2U, 7U, 40U}) {
    const auto how = with_threads(std::to_string(n).c_str(), n);
    EXPECT_TRUE(how.fine()) << how;
    EXPECT_EQ(how.errors, "");
  }
  EXPECT_TRUE(with_threads("", 0).fine());
}

/// By `automatic`, which nobody need ask for. The body sleeps, so a few instances pay for a forecast however slow the machine is.
TEST(Environment, SaysWhyAScheduleWasChosen) {
  const auto how = in_child({{"STEELYARD_NUM_THREADS", "2"}, {"STEELYARD_VERBOSE", "1"}}, [] {
    for (int i = 0; i < 40; ++i) {
      parallel_for(0, 16, [](int) { std::this_thread::sleep_for(std::chrono::milliseconds(1)); },
                   {.always_parallel = true});
    }
    return 0;
  });
  EXPECT_TRUE(how.fine()) << how;
  EXPECT_EQ(how.errors.find("steelyard: automatic: iterations "), 0U) << how.errors;
  EXPECT_NE(how.errors.find("; steal "), std::string::npos) << how.errors;
  EXPECT_NE(how.errors.find(" of the limit: "), std::string::npos) << how.errors;
}

TEST(Environment, SaysHowExactlyCostsAreKnownThatWereLearntAsPublished) {
  const auto how = in_child({{"STEELYARD_NUM_THREADS", "2"}, {"STEELYARD_VERBOSE", "1"}}, [] {
    for (int i = 0; i < 5; ++i) REQUIRE(loop_is_right({.schedule = "nustatic:paper"}));
    return 0;
  });
  EXPECT_TRUE(how.fine()) << how;
  EXPECT_TRUE(how.errors.starts_with("steelyard: the costs of the loop whose body runs at 0x")) << how;
  EXPECT_TRUE(how.errors.ends_with(" %\n")) << how;
  EXPECT_EQ(std::count(how.errors.begin(), how.errors.end(), '\n'), 1) << how;
}

TEST(Environment, AMisspeltVariableIsOneLine) {
  const auto how = in_child({{"STEELYARD_SHEDULE", "static"}}, [] {
    REQUIRE(loop_is_right());
    REQUIRE(loop_is_right());
    return 0;
  });
  EXPECT_TRUE(how.fine()) << how;
  EXPECT_EQ(how.errors, "steelyard: STEELYARD_SHEDULE means nothing; did you mean STEELYARD_SCHEDULE?\n");
}

TEST(Environment, BadNumbersOfThreadsAreOneLine) {
  for (const char* text : {"0", "-1", "two", "2 ", " 2", "3x", "32769", "99999999999999999999", "1.5", "%s%n"}) {
    const auto how = with_threads(text, 0);
    EXPECT_TRUE(how.fine()) << how;
    EXPECT_EQ(std::count(how.errors.begin(), how.errors.end(), '\n'), 1) << how;
    EXPECT_NE(how.errors.find("STEELYARD_NUM_THREADS='" + std::string(text) + "'"), std::string::npos) << how;
  }
}

TEST(Environment, Schedule) {
  for (const char* schedule : loop_tests::all_schedules()) {
    const auto how = in_child({{"STEELYARD_SCHEDULE", schedule}, {"STEELYARD_NUM_THREADS", "3"}},
                              [] { return loop_is_right() ? 0 : 1; });
    EXPECT_TRUE(how.fine()) << schedule << how;
    EXPECT_EQ(how.errors, "");
  }
  for (const char* bad : {"none", "dynamic,0", ",", "steal,x"}) {
    const auto how = in_child({{"STEELYARD_SCHEDULE", bad}}, [] {
      REQUIRE(loop_is_right());
      REQUIRE(loop_is_right({.schedule = "guided"}));
      return 0;
    });
    EXPECT_TRUE(how.fine()) << how;
    EXPECT_EQ(std::count(how.errors.begin(), how.errors.end(), '\n'), 1) << how;
    EXPECT_NE(how.errors.find("STEELYARD_SCHEDULE='" + std::string(bad) + "'"), std::string::npos) << how;
  }
}

/// Programs that set their title write over their environment.
TEST(Environment, SharesStayWhatTheyWere) {
  const auto how = in_child({{"STEELYARD_SCHEDULE", "nustatic:75,25"}, {"STEELYARD_NUM_THREADS", "2"}}, [] {
    for (int round = 0; round < 3; ++round) {
      std::atomic<int> begun{0};
      std::atomic<int> by_caller{0};
      const auto caller = std::this_thread::get_id();
      parallel_for(0, 100,
                   [&](int i) {
                     ++begun;
                     if (i % 99 == 0) REQUIRE(loop_tests::becomes([&] { return begun >= 2; }));
                     by_caller += std::this_thread::get_id() == caller ? 1 : 0;
                   },
                   {.always_parallel = true});
      REQUIRE(by_caller == 75);
      char* const text = std::getenv("STEELYARD_SCHEDULE");
      std::memset(text, 'x', std::strlen(text));
    }
    return 0;
  });
  EXPECT_TRUE(how.fine()) << how;
}

/// What a loop names goes before the variable.
TEST(Environment, TheLoopsOwnScheduleGoesFirst) {
  const auto how = in_child({{"STEELYARD_SCHEDULE", "static"}, {"STEELYARD_NUM_THREADS", "2"}}, [] {
    std::atomic<int> ran{0};
    // Only a schedule that hands out one by one lets two threads meet in iterations 0 and 1.
    parallel_for(0, 100,
                 [&](int i) {
                   ++ran;
                   if (i < 2) REQUIRE(loop_tests::becomes([&] { return ran >= 2; }));
                 },
                 {.schedule = "dynamic,1", .always_parallel = true});
    return 0;
  });
  EXPECT_TRUE(how.fine()) << how;
}

TEST(Environment, BadDeliveryIsOneLine) {
  const auto how = in_child({{"STEELYARD_DELIVERY", "pigeon"}, {"STEELYARD_NUM_THREADS", "4"}}, [] {
    for (int round = 0; round < 200; ++round) REQUIRE(loop_is_right({.schedule = "idws", .always_parallel = true}));
    return 0;
  });
  EXPECT_TRUE(how.fine()) << how;
  EXPECT_LE(std::count(how.errors.begin(), how.errors.end(), '\n'), 1) << how;
}

TEST(Environment, BadWaysToMeasureAreOneLine) {
  const auto how = in_child({{"STEELYARD_LEARN_BY", "guessing"}}, [] {
    for (int i = 0; i < 5; ++i) REQUIRE(loop_is_right({.schedule = "nustatic", .always_parallel = true}));
    return 0;
  });
  EXPECT_TRUE(how.fine()) << how;
  EXPECT_EQ(how.errors, "steelyard: STEELYARD_LEARN_BY='guessing' is ignored; give ticks or instructions\n");
}

/// With counters or without: of the latter there is a line.
TEST(Environment, LoopsMayBeMeasuredByInstructions) {
  const auto how = in_child({{"STEELYARD_LEARN_BY", "instructions"}, {"STEELYARD_NUM_THREADS", "3"}}, [] {
    for (int i = 0; i < 20; ++i) REQUIRE(loop_is_right({.schedule = "nustatic", .always_parallel = true}));
    return 0;
  });
  EXPECT_TRUE(how.fine()) << how;
  if (how.errors.empty()) return;
  EXPECT_EQ(how.errors.find("steelyard: the kernel lets no instructions be counted here ("), 0U) << how;
  EXPECT_EQ(std::count(how.errors.begin(), how.errors.end(), '\n'), 1) << how;
}

TEST(Environment, BadWordsForExperimentsAreOneLineEach) {
  const auto how = in_child({{"STEELYARD_WITHOUT", "search,rubbish"}, {"STEELYARD_LEAST_LEFT", "-7"}}, [] {
    REQUIRE(loop_is_right({.schedule = "wsrw", .always_parallel = true}));
    return 0;
  });
  EXPECT_TRUE(how.fine()) << how;
  EXPECT_EQ(
      how.errors,
      "steelyard: 'rubbish' in STEELYARD_WITHOUT is ignored; reuse, equal, guarded, search, expensive and sparing "
      "are known\n"
      "steelyard: STEELYARD_LEAST_LEFT='-7' is ignored; give a whole number from 1 to 4294967295\n");
}

/// Without memory for their stacks no thread starts, or only some do.
TEST(Environment, ThreadsThatTheSystemRefuses) {
  if (loop_tests::under_sanitizer) GTEST_SKIP() << "a sanitizer needs its address space";
  const auto how = in_child({}, [] {
    REQUIRE(steelyard_version() != nullptr);
    loop_tests::limit_address_space(128UL << 20);  // room for some threads, of 8 MiB each, and for what is known of all
    steelyard::pool large(32768);
    REQUIRE(large.threads() >= 1 && large.threads() < 1000);
    for (int round = 0; round < 77; ++round) {  // a thousand with all schedules
      for (const char* schedule : loop_tests::all_schedules()) {
        REQUIRE(loop_is_right({.schedule = schedule, .on = &large, .always_parallel = true}));
      }
    }
    REQUIRE(loop_is_right());  // there is no room for the process's pool either
    return 0;
  });
  EXPECT_TRUE(how.fine()) << how;
}

TEST(Environment, ProcessPoolWithoutRoomForThreads) {
  if (loop_tests::under_sanitizer) GTEST_SKIP() << "a sanitizer needs its address space";
  const auto how = in_child({{"STEELYARD_NUM_THREADS", "32768"}}, [] {
    rlimit space{1UL << 30, 1UL << 30};
    REQUIRE(setrlimit(RLIMIT_AS, &space) == 0);
    REQUIRE(loop_is_right());
    REQUIRE(steelyard::threads() < 1000);
    return 0;
  });
  EXPECT_TRUE(how.fine()) << how;
}

}  // namespace
