// SPDX-License-Identifier: Apache-2.0
// System calls in loop bodies: docs/signals.md says which of them an interrupt may end early, and by which delivery.
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <ctime>
#include <mutex>
#include <steelyard/loop.hpp>
#include <thread>

#include "child.hpp"
#include "loops.hpp"

namespace {

using namespace std::chrono_literals;
using loop_tests::counts;
using loop_tests::in_child;
using steelyard::parallel_for;

/// Runs loops whose bodies call `wait_in_system(i)`, which returns whether it was interrupted; how many were.
template <class Wait>
int interrupted(Wait&& wait_in_system) {
  std::atomic<int> all{0};
  for (int round = 0; round < 4; ++round) {
    counts seen(60);
    parallel_for(0U, 60U,
                 [&](unsigned i) {
                   // Few of the iterations wait, so members run out of work while others sleep in the system.
                   if (i % 8 == 0 && wait_in_system()) ++all;
                   seen.ran(i);
                 },
                 {.schedule = "idws", .always_parallel = true});
    REQUIRE(seen.wrong() == 0);
  }
  return all;
}

bool nanosleep_is_interrupted() {
  const timespec while_others_ask{0, 3'000'000};
  return nanosleep(&while_others_ask, nullptr) != 0 && errno == EINTR;
}

bool poll_is_interrupted() { return poll(nullptr, 0, 3) < 0 && errno == EINTR; }

/// Reads a byte that comes 3 ms later.
bool read_is_interrupted() {
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  std::thread writer([&] {
    std::this_thread::sleep_for(3ms);
    REQUIRE(write(ends[1], "x", 1) == 1);
  });
  char byte = 0;
  const auto got = read(ends[0], &byte, 1);
  const bool cut_short = got < 0 && errno == EINTR;
  writer.join();
  close(ends[0]);
  close(ends[1]);
  REQUIRE(cut_short || got == 1);
  return cut_short;
}

loop_tests::variables with(const char* delivery) {
  return {{"STEELYARD_DELIVERY", delivery}, {"STEELYARD_NUM_THREADS", "3"}};
}

TEST(SystemCalls, ReadIsRestarted) {
  for (const char* delivery : {"signal", "hybrid", "membarrier", "poll"}) {
    const auto how = in_child(with(delivery), [] {
      REQUIRE(interrupted(read_is_interrupted) == 0);
      return 0;
    });
    EXPECT_TRUE(how.fine()) << delivery << ' ' << how;
  }
}

TEST(SystemCalls, NoneIsInterruptedWithoutSignals) {
  for (const char* delivery : {"hybrid", "membarrier", "poll"}) {
    const auto how = in_child(with(delivery), [] {
      REQUIRE(interrupted(nanosleep_is_interrupted) == 0);
      REQUIRE(interrupted(poll_is_interrupted) == 0);
      return 0;
    });
    EXPECT_TRUE(how.fine()) << delivery << ' ' << how;
  }
}

/// Those that are never restarted may return EINTR; a program that calls them again sees nothing else.
TEST(SystemCalls, SleepsMayEndEarlyUnderSignal) {
  const auto how = in_child(with("signal"), [] {
    std::fprintf(stderr, "nanosleep %d, poll %d times interrupted\n", interrupted(nanosleep_is_interrupted),
                 interrupted(poll_is_interrupted));
    const auto again = [] {
      timespec left{0, 3'000'000};
      int result = 0;
      while ((result = nanosleep(&left, &left)) != 0 && errno == EINTR) {
      }
      return result != 0;
    };
    REQUIRE(interrupted(again) == 0);
    return 0;
  });
  EXPECT_TRUE(how.fine()) << how;
  std::printf("%s", how.errors.c_str());
}

/// What the C++ library sleeps by goes on after an interrupt.
TEST(SystemCalls, SleepForAndMutexesDoNotNotice) {
  const auto how = in_child(with("signal"), [] {
    std::atomic<int> early{0};
    std::mutex lock;
    REQUIRE(interrupted([&] {
              const auto began = std::chrono::steady_clock::now();
              std::this_thread::sleep_for(3ms);
              if (std::chrono::steady_clock::now() - began < 3ms) ++early;
              const std::lock_guard one(lock);
              return false;
            }) == 0);
    REQUIRE(early == 0);
    return 0;
  });
  EXPECT_TRUE(how.fine()) << how;
}

}  // namespace
