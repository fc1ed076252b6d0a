// SPDX-License-Identifier: Apache-2.0
// Without NDEBUG: who uses what it has given to pending tasks is told so, and nobody else is.
#undef NDEBUG
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <string>
#include <thread>

#include <steelyard/join.hpp>

#include "helpers.hpp"

namespace {

using namespace dataflow_tests;
using loop_tests::in_child;

void increment(rw<number> it) { ++*it; }
void store(w<number> it, number value) { *it = value; }

/// The process says that and ends, on one thread and on two.
void expect_caught(int (*program)(), const std::string& says) {
  for (const unsigned threads : {1U, 2U}) {
    const auto how = in_child({{"STEELYARD_NUM_THREADS", std::to_string(threads)}}, program);
    EXPECT_FALSE(how.fine()) << threads << " threads";
    EXPECT_NE(how.errors.find("steelyard: " + says), std::string::npos) << how.errors;
  }
}

constexpr auto passed_on = "a task uses what it has passed on to another before sync_tasks()";
constexpr auto not_waited = "a shared object is used before sync_tasks()";

TEST(Pending, WhoUsesWhatItHasPassedOn) {
  expect_caught(
      [] {
        shared<number> it(10U);
        fork_task(
            [](rw<number> own) {
              fork_task(increment, own);
              *own *= 2;
            },
            it);
        sync_tasks();
        return 0;
      },
      passed_on);
  expect_caught(
      [] {
        shared<number> it(10U);
        fork_task(
            [](w<number> own) {
              fork_task(store, own, 1U);
              *own = 2;
            },
            it);
        sync_tasks();
        return 0;
      },
      passed_on);
  expect_caught(
      [] {
        std::array<number, 8> elements{};
        fork_task(
            [](rw<range<number>> own) {
              fork_task([](r<range<number>> its) { EXPECT_EQ((*its)[0], 0U); }, own);
              (*own)[0] = 2;
            },
            range<number>(elements.data(), elements.size()));
        sync_tasks();
        return 0;
      },
      passed_on);
}

TEST(Pending, WhoReadsBeforeTheWait) {
  expect_caught(
      [] {
        shared<number> it(0U);
        fork_task(store, it, 1U);
        return *it == 1 ? 0 : 1;
      },
      not_waited);
}

/// Each use is before the task has passed its right on, or after a wait.
number chain(pool& in) {
  number result = 0;
  in.run([&result] {
    struct link {
      void operator()(rw<number> it, number left) const {
        *it = *it * 31 + left;
        if (left != 0) fork_task(link(), it, left - 1);
      }
    };
    shared<number> it(1U);
    for (int round = 0; round < 3; ++round) {
      fork_task(link(), it, 500U);
      sync_tasks();
      *it += 1;
    }
    fork_task(
        [](rw<number> own) {
          fork_task(increment, own);
          sync_tasks();
          *own *= 2;
          fork_task(increment, own);
        },
        it);
    // Joins wait for what has been forked.
    steelyard::join([&it] { *it += 3; }, [] {});
    result = *it;
  });
  return result;
}

TEST(Pending, NobodyElseIsTold) {
  pool alone(1);
  const auto expected = chain(alone);
  for (const unsigned threads : {1U, 2U, 4U}) {
    pool all(threads);
    for (int round = 0; round < 20; ++round) ASSERT_EQ(chain(all), expected);
    all.run([] {
      // Objects that lie where others have been.
      for (number i = 0; i < 1000; ++i) {
        {
          shared<number> gone(i);
          fork_task(increment, gone);
        }
        shared<number> fresh(i);
        EXPECT_EQ(*fresh, i);
        if (i % 7 == 0) sync_tasks();
      }
      shared<number> renamed(steelyard::renaming, 0U);
      for (number i = 0; i < 100; ++i) fork_task(store, renamed, i);
      sync_tasks();
      EXPECT_EQ(*renamed, 99U);
    });
  }
}

/// What ends with a thread may fork, too, when what the thread has noted has gone.
TEST(Pending, AThreadThatEnds) {
  static number found = 0;
  struct last {
    ~last() {
      shared<number> it(1U);
      fork_task(increment, it);
      sync_tasks();
      found = *it;
    }
  };
  std::thread([] {
    shared<number> it(0U);
    fork_task([](r<number> value) { EXPECT_EQ(*value, 0U); }, it);  // the thread has a frame, and has noted nothing
    sync_tasks();
    static thread_local last ends_between;
    static_cast<void>(&ends_between);
    fork_task(increment, it);
    sync_tasks();
    EXPECT_EQ(*it, 1U);
  }).join();
  EXPECT_EQ(found, 2U);
}

}  // namespace
