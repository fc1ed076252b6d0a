// SPDX-License-Identifier: Apache-2.0
// Runs of a recording: where they run, with what arguments, and what they leave when they throw.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <memory>
#include <thread>
#include <vector>

#include "helpers.hpp"

namespace {

using namespace dataflow_tests;

void append_digit(rw<number> it, number digit) { *it = *it * 31 + digit; }

void smooth(r<range<number>> left, rw<range<number>> middle, r<range<number>> right) {
  for (auto& each : *middle) each = mix(each, (*left)[0] + (*right)[0]);
}

/// One sweep over neighbouring parts of an array, and tasks that fork.
void sweep(const range<number>& all, shared<number>& sum) {
  constexpr std::size_t part = 4;
  for (std::size_t i = part; i + 2 * part <= all.size(); i += part) {
    fork_task(smooth, all.part(i - part, part), all.part(i, part), all.part(i + part, part));
    fork_task(
        [](r<range<number>> from, rwp<number> to) {
          fork_task(append_digit, to, (*from)[0]);
          fork_task(append_digit, to, (*from)[1]);
        },
        all.part(i, part), sum);
  }
}

std::vector<number> swept(int times, bool recorded) {
  std::vector<number> elements(40);
  for (std::size_t i = 0; i < elements.size(); ++i) elements[i] = i;
  const range<number> all(elements.data(), elements.size());
  shared<number> sum(0U);
  if (recorded) {
    recording one([&] { sweep(all, sum); });
    for (int i = 0; i < times; ++i) one.run();
  } else {
    const steelyard::sequential here;
    for (int i = 0; i < times; ++i) sweep(all, sum);
  }
  elements.push_back(*sum);
  return elements;
}

TEST(RecordingRuns, OnPartsOfAnArray) {
  const auto expected = swept(300, false);
  for (const unsigned threads : {1U, 2U, 3U, 8U}) {
    pool all(threads);
    all.run([&expected] { EXPECT_EQ(swept(300, true), expected); });
  }
}

TEST(RecordingRuns, InTasksAndOnOtherThreads) {
  for (const unsigned threads : {1U, 2U, 4U}) {
    pool all(threads);
    all.run([&all] {
      std::atomic<int> ran{0};
      recording some([&ran] {
        for (int i = 0; i < 20; ++i) {
          fork_task([&ran] { fork_task([&ran] { ++ran; }); });
        }
      });
      for (int round = 0; round < 50; ++round) {
        fork_task([&some] { some.run(); });
        fork_task([] {});
        sync_tasks();
      }
      EXPECT_EQ(ran, 1000);
      std::thread([&] { all.run([&some] { some.run(); }); }).join();
      std::thread([&some] { some.run(); }).join();
      EXPECT_EQ(ran, 1040);
    });
  }
}

/// What a task throws ends that run; the next one is whole again, and no argument is lost.
TEST(RecordingRuns, ThatThrow) {
  for (const unsigned threads : {1U, 2U, 4U}) {
    pool(threads).run([] {
      std::atomic<int> ran{0};
      std::atomic<bool> throws{false};
      shared<number> it(0U);
      recording some([&] {
        for (int i = 0; i < 30; ++i) {
          const auto work = [&throws, &ran, i, held = counted()](rw<number>) {
            if (i == 10 && throws) throw number{7};
            ++ran;
          };
          fork_task(work, it);
        }
      });
      for (int round = 0; round < 50; ++round) {
        throws = true;
        EXPECT_THROW(some.run(), number);
        EXPECT_EQ(ran.exchange(0), 10);
        throws = false;
        some.run();
        EXPECT_EQ(ran.exchange(0), 30);
      }
      EXPECT_EQ(counted::alive, 30);
    });
    EXPECT_EQ(counted::alive, 0);
  }
}

/// Arguments that are large, or have memory of their own, are as they were, each time.
TEST(RecordingRuns, WithCopiesOfTheArguments) {
  for (const unsigned threads : {1U, 2U}) {
    pool(threads).run([] {
      shared<number> it(0U);
      recording some([&it] {
        for (int i = 0; i < 10; ++i) {
          fork_task([](rw<number> own, std::vector<number> mine,
                       std::array<number, 700> much) { *own += mine[0]++ + much[1]++; },
                    it, std::vector<number>{1, 2}, std::array<number, 700>{0, 10});
        }
      });
      for (int round = 0; round < 50; ++round) some.run();
      EXPECT_EQ(*it, 50U * 10 * 11);
    });
  }
}

/// Tasks that may run at the same time do, in each run.
TEST(RecordingRuns, InParallel) {
  pool(2).run([] {
    std::unique_ptr<rendezvous> both;
    recording two([&both] {
      for (int i = 0; i < 2; ++i) {
        fork_task([&both] { EXPECT_TRUE(both->come()) << "nobody has come"; });
      }
    });
    for (int round = 0; round < 30; ++round) {
      both = std::make_unique<rendezvous>(2);
      two.run();
      if (testing::Test::HasFailure()) return;
    }
  });
}

/// Who comes in the middle of a run finds that the first tasks have ended.
TEST(RecordingRuns, WithAVisitorInTheMiddle) {
  pool all(2);
  std::atomic<int> released{0};
  shared<number> sum(0U), other(0U);
  recording some([&] {
    for (number i = 0; i < 40; ++i) {
      fork_task(append_digit, sum, i);
      const auto late = [&released, i](rw<number> it) {
        if (i == 10) ++released;
        if (i > 10) loop_tests::compute(std::chrono::microseconds(100));
        *it += i;
      };
      fork_task(late, other);
      fork_task([](r<number> from, rw<number> to) { *to += *from; }, sum, other);
    }
  });
  number expected = 0, expected_other = 0;
  for (int run = 1; run <= 5; ++run) {
    rendezvous held(2);
    std::thread holder([&] {
      all.run([&] {
        fork_task([&] {
          EXPECT_TRUE(held.come());
          EXPECT_TRUE(becomes([&] { return released == run; }));
        });
        EXPECT_TRUE(becomes([&] { return released == run; }));
      });
    });
    EXPECT_TRUE(held.come()) << "the worker has not come";
    all.run([&some] { some.run(); });
    holder.join();
    for (number i = 0; i < 40; ++i) {
      expected = expected * 31 + i;
      expected_other += i + expected;
    }
    ASSERT_EQ(*sum, expected);
    ASSERT_EQ(*other, expected_other);
  }
}

}  // namespace
