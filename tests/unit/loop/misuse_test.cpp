// SPDX-License-Identifier: Apache-2.0
// Mistakes that no compiler finds: what is thrown says what is wrong and what to do, or nothing bad happens.
// docs/mistakes.md lists them.
#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <future>
#include <limits>
#include <list>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <steelyard/dataflow.hpp>
#include <steelyard/loop.hpp>
#include <steelyard/task.hpp>

namespace {

using steelyard::parallel_for, steelyard::pool;

/// What an Exception says that it throws; empty: it throws none.
template <class Exception = std::invalid_argument>
std::string said_by(const std::function<void()>& mistake) {
  try {
    mistake();
  } catch (const Exception& thrown) {
    return thrown.what();
  }
  return {};
}

TEST(Misuse, AScheduleThatIsNone) {
  const auto said = said_by([] { parallel_for(0, 10, [](int) {}, {.schedule = "stael"}); });
  EXPECT_EQ(said, "schedule 'stael' is not a schedule; `steelyard schedules` lists them");
}

TEST(Misuse, SharesThatAreNone) {
  const std::string says = "shares are numbers from 0 to 100, one for each member, which add up to 100";
  EXPECT_EQ(said_by([] { parallel_for(0, 10, [](int) {}, {.shares = {50, 40}}); }), says);
  EXPECT_EQ(said_by([] { parallel_for(0, 10, [](int) {}, {.shares = {-10, 110}}); }), says);
  EXPECT_EQ(said_by([] { parallel_for(0, 10, [](int) {}, {.shares = {100}}); }), says);
  constexpr double infinite = std::numeric_limits<double>::infinity();
  EXPECT_EQ(said_by([] { parallel_for(0, 10, [](int) {}, {.shares = {infinite, 0}}); }), says);
  EXPECT_EQ(said_by([] { parallel_for(0, 10, [](int) {}, {.shares = {50, -infinite}}); }), says);
  EXPECT_EQ(said_by([] {
              parallel_for(0, 10, [](int) {}, {.shares = {50, std::numeric_limits<double>::quiet_NaN()}});
            }),
            says);
  EXPECT_EQ(said_by([] { parallel_for(0, 10, [](int) {}, {.schedule = "nustatic:"}); }),
            "schedule 'nustatic:' has a share or weight that is no number from 0 to 100; write for example "
            "`nustatic:15,20,25,40` or `wf2:1.5,1`");
  EXPECT_EQ(said_by([] { parallel_for(0, 10, [](int) {}, {.schedule = "nustatic:50,40"}); }),
            "schedule 'nustatic:50,40' has shares that do not add up to 100; write for example `nustatic:15,20,25,40`");
}

TEST(Misuse, APoolOfNoThreads) {
  EXPECT_EQ(said_by([] { const pool none(0); }), "a pool of 0 threads: give 1 or more");
}

TEST(Misuse, APoolOfTooManyThreads) {
  const int given = -1;
  for (const std::uint32_t threads : {std::uint32_t{32769}, static_cast<std::uint32_t>(given)}) {
    EXPECT_EQ(said_by([threads] { const pool none(threads); }),
              "a pool of more than 32768 threads, or of a negative number");
    EXPECT_EQ(steelyard_pool_create(threads), nullptr);
  }
}

TEST(Misuse, AGrainOfNoCalls) {
  const std::string says = "a grain of 0 calls: give 1 or more";
  EXPECT_EQ(said_by([] {
              steelyard::join_each(
                  10, [](std::size_t) {}, 0);
            }),
            says);
  const auto one = [](std::size_t) { return 1; };
  EXPECT_EQ(said_by([&] { static_cast<void>(steelyard::join_reduce(10, 0, one, std::plus<>{}, 0)); }), says);
}

TEST(Misuse, BlocksOfNoSize) {
  EXPECT_EQ(said_by([] {
              parallel_for({0, 10, 0}, {0, 10}, [](auto, auto) {});
            }),
            "a loop with blocks of no size: give 1 or more");
}

TEST(Misuse, FromANegativeNumberToAnUnsignedOne) {
  EXPECT_EQ(said_by([] { parallel_for(-1, std::size_t{10}, [](auto) {}); }),
            "a loop from a negative number to an unsigned one: give both the same type");
}

/// As in a loop that is written out.
TEST(Misuse, AReversedRangeIsEmpty) {
  std::atomic<int> calls{0};
  std::vector<int> numbers(10);
  parallel_for(10, 0, [&](int) { ++calls; });
  parallel_for(numbers.end(), numbers.begin(), [&](int) { ++calls; });
  EXPECT_TRUE(steelyard::parallel_scan(numbers.end(), numbers.begin(), numbers.begin(), 1));
  EXPECT_EQ(steelyard::parallel_reduce(10, 0, 7, [&](int) { return ++calls; }), 7);
  EXPECT_EQ(steelyard::parallel_reduce(numbers.end(), numbers.begin(), 7), 7);
  EXPECT_EQ(calls, 0);
}

TEST(Misuse, AFutureBeforeItsGroupHasBeenWaitedFor) {
  pool(2).run([] {
    steelyard::task_group group;
    std::promise<void> asked;
    const auto later = group.async([&] { asked.get_future().wait(); });
    EXPECT_EQ(said_by<std::logic_error>([&] { static_cast<void>(later.get()); }),
              "steelyard::future::get: wait for its group first");
    asked.set_value();
    group.wait();
  });
}

TEST(Misuse, AFutureOfNoTask) {
  steelyard::task_group group;
  EXPECT_NE(said_by<std::future_error>([&] { group.after([](int) {}, steelyard::future<int>()); }), "");
}

TEST(Misuse, WaitingTwiceWaitsForWhatCameBetween) {
  pool(2).run([] {
    int calls = 0;
    steelyard::task_group group;
    group.spawn([&] { ++calls; });
    group.wait();
    group.wait();
    EXPECT_EQ(calls, 1);
    group.spawn([&] { ++calls; });
    group.wait();
    EXPECT_EQ(calls, 2);
  });
}

TEST(Misuse, AGroupThatHasFailedSaysSoAtEachWait) {
  steelyard::task_group group;
  group.spawn([] { throw std::runtime_error("a task"); });
  for (int i = 0; i < 2; ++i) EXPECT_EQ(said_by<std::runtime_error>([&] { group.wait(); }), "a task");
}

TEST(Misuse, APoolInsideItselfAndInsideAnother) {
  pool outer(2), inner(3);
  std::atomic<int> calls{0};
  const auto loop = [&] { parallel_for(0, 100, [&](int) { ++calls; }, {.always_parallel = true}); };
  outer.run([&] {
    outer.run(loop);
    inner.run([&] { outer.run(loop); });
  });
  parallel_for(0, 2, [&](int) { inner.run(loop); }, {.on = &outer, .always_parallel = true});
  EXPECT_EQ(calls, 400);
}

TEST(Misuse, ARecordingOfWhatCannotBeCopied) {
  const auto said = said_by([] {
    const steelyard::recording once(
        [] { steelyard::fork_task([](const std::unique_ptr<int>&) {}, std::make_unique<int>(1)); });
  });
  EXPECT_EQ(said.find("steelyard::recording: a task's arguments cannot be copied"), 0U) << said;
}

}  // namespace
