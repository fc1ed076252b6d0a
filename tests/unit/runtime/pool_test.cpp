// SPDX-License-Identifier: Apache-2.0
#include "runtime/pool.hpp"

#include <gtest/gtest.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "../workers_asleep.hpp"
#include "topology/processors.hpp"

namespace {

using namespace std::chrono_literals;
using steelyard::runtime::pool;
using steelyard::runtime::shared_work;

/// Iterations 0 … n-1, one at a time from a shared counter.
class counted : public shared_work {
 public:
  counted(std::uint32_t n, std::function<void(std::uint32_t)> body) : runs(n), body_(std::move(body)) {}

  void run(std::uint32_t member) noexcept override {
    if (numbers_.fetch_or(1ULL << member) & (1ULL << member)) ++twice;
    for (;;) {
      const std::uint32_t i = next_.fetch_add(1);
      if (i >= runs.size()) return;
      ++runs[i];
      if (body_) body_(i);
    }
  }

  /// How many iterations did not run once.
  [[nodiscard]] int wrong() const {
    int count = twice;
    for (const auto& times : runs) count += times == 1 ? 0 : 1;
    return count;
  }

  std::vector<std::atomic<int>> runs;
  std::atomic<int> twice{0};  ///< member numbers given to two

 private:
  std::function<void(std::uint32_t)> body_;
  std::atomic<std::uint32_t> next_{0};
  std::atomic<std::uint64_t> numbers_{0};
};

int run_counted(pool& workers, std::uint32_t n, std::uint32_t members, std::function<void(std::uint32_t)> body = {}) {
  counted work(n, std::move(body));
  workers.run(work, members);
  return work.wrong();
}

TEST(Pool, RunsEveryIterationOnce) {
  pool workers(3);
  EXPECT_EQ(workers.workers(), 3U);
  for (std::uint32_t members = 1; members <= 6; ++members) {
    for (std::uint32_t n : {0U, 1U, 2U, 100U}) {
      for (int round = 0; round < 50; ++round) ASSERT_EQ(run_counted(workers, n, members), 0);
    }
  }
}

TEST(Pool, WithoutWorkersTheCallerRunsEverything) {
  pool none(0);
  const auto caller = std::this_thread::get_id();
  int others = 0;
  EXPECT_EQ(run_counted(none, 50, 8, [&](std::uint32_t) { others += std::this_thread::get_id() == caller ? 0 : 1; }),
            0);
  EXPECT_EQ(others, 0);
}

/// Comes to an end only when as many members take part at once.
class gathering : public shared_work {
 public:
  explicit gathering(int wanted) : wanted_(wanted) {}
  void run(std::uint32_t) noexcept override {
    ++came_;
    for (const auto end = std::chrono::steady_clock::now() + 30s; came_ < wanted_;) {
      if (std::chrono::steady_clock::now() > end) return;
      std::this_thread::yield();
    }
  }
  [[nodiscard]] int came() const { return came_; }

 private:
  int wanted_;
  std::atomic<int> came_{0};
};

TEST(Pool, WorkersComeAwakeOrAsleep) {
  pool workers(2);
  for (int round = 0; round < 200; ++round) {
    gathering work(3);
    workers.run(work, 3);
    ASSERT_EQ(work.came(), 3) << "round " << round;
    if (round % 2 == 0) std::this_thread::sleep_for(500us);
  }
}

TEST(Pool, NoMoreMembersThanAsked) {
  pool workers(3);
  for (int round = 0; round < 50; ++round) {
    gathering work(2);
    workers.run(work, 2);
    ASSERT_EQ(work.came(), 2);
  }
}

/// Members of more than one group, and of fewer than there are workers (gate.md).
TEST(Pool, ManyWorkersComeAwakeOrAsleep) {
  pool workers(40);
  for (const int members : {41, 20, 41, 17, 16, 33, 41}) {
    for (int round = 0; round < 5; ++round) {
      gathering work(members);
      workers.run(work, static_cast<std::uint32_t>(members));
      ASSERT_EQ(work.came(), members) << "round " << round;
      if (round % 2 == 0) std::this_thread::sleep_for(2ms);
    }
    for (int round = 0; round < 20; ++round) {
      ASSERT_EQ(run_counted(workers, 100, static_cast<std::uint32_t>(members)), 0);
    }
  }
}

TEST(Pool, SeveralCallersOfManyWorkers) {
  pool workers(40);
  std::vector<std::thread> callers;
  std::atomic<int> wrong{0};
  for (std::uint32_t c = 0; c < 3; ++c) {
    callers.emplace_back([&, c] {
      for (std::uint32_t round = 0; round < 30; ++round)
        wrong += run_counted(workers, 200, 10 + 15 * ((c + round) % 3));
    });
  }
  for (auto& each : callers) each.join();
  EXPECT_EQ(wrong, 0);
}

TEST(Pool, NestsWithoutFurtherThreads) {
  pool workers(2);
  std::atomic<int> wrong{0};
  std::atomic<int> leaves{0};
  std::function<void(int)> nest = [&](int depth) {
    if (depth == 0) {
      ++leaves;
      return;
    }
    wrong += run_counted(workers, 4, 3, [&](std::uint32_t) { nest(depth - 1); });
  };
  for (int round = 0; round < 20; ++round) nest(5);
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(leaves, 20 * 1024);
}

TEST(Pool, ServesManyCallersAtOnce) {
  pool workers(2);
  std::atomic<int> wrong{0};
  std::vector<std::thread> callers;
  for (int c = 0; c < 8; ++c) {
    callers.emplace_back([&] {
      for (int round = 0; round < 200; ++round) wrong += run_counted(workers, 20, 3);
    });
  }
  for (auto& caller : callers) caller.join();
  EXPECT_EQ(wrong, 0);
}

/// More callers at once than the board has places: who finds none runs alone.
TEST(Pool, ServesMoreCallersThanPlaces) {
  pool workers(1);
  std::atomic<int> inside{0};
  std::atomic<int> wrong{0};
  std::vector<std::thread> callers;
  for (int c = 0; c < 80; ++c) {
    callers.emplace_back([&] {
      ++inside;
      wrong += run_counted(workers, 1, 2, [&](std::uint32_t) {
        for (const auto end = std::chrono::steady_clock::now() + 30s; inside < 80;) {
          if (std::chrono::steady_clock::now() > end) ++wrong;
          std::this_thread::yield();
        }
      });
    });
  }
  for (auto& caller : callers) caller.join();
  EXPECT_EQ(wrong, 0);
}

TEST(Pool, ComesAndGoes) {
  for (int round = 0; round < 200; ++round) {
    pool workers(static_cast<std::uint32_t>(round % 4));
    if (round % 3 != 0) {
      ASSERT_EQ(run_counted(workers, 10, 4), 0);
    }
  }
}

TEST(Pool, WorkersHaveNamesAndBlockSignals) {
  pool workers(1);
  class look : public shared_work {
   public:
    void run(std::uint32_t member) noexcept override {
      if (member != 0) {
        sigset_t blocked;
        pthread_sigmask(SIG_BLOCK, nullptr, &blocked);
        blocks = sigismember(&blocked, SIGTERM) == 1 && sigismember(&blocked, SIGUSR1) == 1;
        // What a worker does to itself, and what profilers send to whoever runs.
        for (const int own : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGPROF}) {
          if (sigismember(&blocked, own) != 0) blocks = false;
        }
        pthread_getname_np(pthread_self(), name, sizeof name);
      }
      for (came++; came < 2;) std::this_thread::yield();
    }
    std::atomic<int> came{0};
    bool blocks = false;
    char name[16] = "";
  } work;
  workers.run(work, 2);
  EXPECT_TRUE(work.blocks);
  EXPECT_STREQ(work.name, "steelyard/0");
  sigset_t own;
  pthread_sigmask(SIG_BLOCK, nullptr, &own);
  EXPECT_EQ(sigismember(&own, SIGTERM), 0);
}

TEST(Pool, AnIdleWorkerSleeps) {
  pool workers(3);
  run_counted(workers, 10, 4);
  const auto before = workers_asleep::wait_for(3);
  EXPECT_GT(before.switches, 0);
  std::this_thread::sleep_for(1s);
  EXPECT_EQ(workers_asleep::look(), before);
}

/// Two members of which each waits for the other, so both must be somewhere.
class meeting : public shared_work {
 public:
  void run(std::uint32_t member) noexcept override {
    if (member != 0) processor = sched_getcpu();
    ++here;
    while (here.load() < 2) std::this_thread::yield();
  }
  std::atomic<int> here{0};
  int processor = -1;  ///< of the worker
};

TEST(Pool, AWokenWorkerStaysOffTheProcessorOfWhoWokeIt) {
  const auto mine = steelyard::topology::processors::of_thread(0);
  if (mine.count() < 2) GTEST_SKIP() << "one processor";
  pool one(1);
  std::thread([&] {
    for (unsigned p = 0, left = mine.count(); left != 0; ++p) {
      if (!mine.holds(p)) continue;
      --left;
      steelyard::topology::processors here;
      here.add(p);
      ASSERT_TRUE(here.bind_this_thread());
      for (int round = 0; round < 5; ++round) {
        workers_asleep::wait_for(1);
        meeting both;
        one.run(both, 2);
        EXPECT_NE(both.processor, static_cast<int>(p));
      }
    }
  }).join();
}

/// Where there is none to spare, it keeps all.
TEST(Pool, AsManyWorkersAsProcessorsUseThemAll) {
  const auto mine = steelyard::topology::processors::of_thread(0);
  pool many(mine.count());
  for (int round = 0; round < 20; ++round) {
    workers_asleep::wait_for(mine.count());
    run_counted(many, 100, mine.count() + 1);
  }
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
    const int thread = std::stoi(task.path().filename().string());
    EXPECT_TRUE(steelyard::topology::processors::of_thread(thread) == mine) << thread;
  }
}

}  // namespace
