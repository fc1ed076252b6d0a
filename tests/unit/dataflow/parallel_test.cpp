// SPDX-License-Identifier: Apache-2.0
// Whatever may run runs when a thread has nothing to do: programs that come to an end only if tasks run at the same time.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <steelyard/task.hpp>
#include <vector>

#include "helpers.hpp"

namespace {

using namespace dataflow_tests;

/// Comes only when so many tasks run at the same time.
void meet(rendezvous* all) { EXPECT_TRUE(all->come()) << "they do not run at the same time"; }

void fork_meeting(int tasks, rendezvous& all) {
  for (int i = 0; i < tasks; ++i) fork_task(meet, &all);
}

TEST(Parallel, AsManyAsThreads) {
  for (const int threads : {2, 3, 4}) {
    pool(static_cast<unsigned>(threads)).run([threads] {
      for (int round = 0; round < 50; ++round) {
        rendezvous all(threads);
        fork_meeting(threads, all);
        sync_tasks();
        if (testing::Test::HasFailure()) return;
      }
    });
  }
}

/// They use different objects, the same one without changing it, or by one operation.
TEST(Parallel, WhoeverMay) {
  struct plus {
    void operator()(number& into, number by) const { into += by; }
  };
  pool(2).run([] {
    shared<number> a(1U), b(2U);
    std::vector<number> elements(10);
    const range<number> all(elements.data(), elements.size());
    const auto fork_both = [](auto task, auto&& one, auto&& other) {
      rendezvous both(2);
      fork_task(task, one, &both);
      fork_task(task, other, &both);
      sync_tasks();
    };
    fork_both([](rw<number>, rendezvous* both) { meet(both); }, a, b);
    fork_both([](r<number>, rendezvous* both) { meet(both); }, a, a);
    fork_both(
        [](cw<number, plus> it, rendezvous* both) {
          it.add(1U);
          meet(both);
          it.add(1U);
        },
        a, a);
    fork_both([](rw<range<number>>, rendezvous* both) { meet(both); }, all.part(0, 5), all.part(5, 5));
    EXPECT_EQ(*a, 5U);
  });
}

/// What waits for one task runs at once, as much as there is.
TEST(Parallel, BehindAWriter) {
  pool(3).run([] {
    for (int round = 0; round < 50; ++round) {
      shared<number> it(0U);
      rendezvous all(3);
      fork_task([](w<number> own) { *own = 1; }, it);
      for (int i = 0; i < 3; ++i) {
        fork_task(
            [&all](r<number> own) {
              EXPECT_EQ(*own, 1U);
              meet(&all);
            },
            it);
      }
      sync_tasks();
      if (testing::Test::HasFailure()) return;
    }
  });
}

/// Each of two tasks has two that meet.
TEST(Parallel, OnTheNextLevel) {
  pool(4).run([] {
    for (int round = 0; round < 50; ++round) {
      std::array<rendezvous, 2> each{rendezvous(2), rendezvous(2)};
      for (auto& both : each) {
        fork_task([&both] { fork_meeting(2, both); });
      }
      sync_tasks();
      if (testing::Test::HasFailure()) return;
    }
  });
}

/// The owner computes without a call; others run what it has forked.
TEST(Parallel, TheOwnerComputes) {
  pool(2).run([] {
    for (int round = 0; round < 30; ++round) {
      rendezvous with_owner(2);
      fork_task(meet, &with_owner);
      meet(&with_owner);
      sync_tasks();
      if (testing::Test::HasFailure()) return;
    }
  });
}

/// The same for the owner of a frame that lies on others.
TEST(Parallel, TheOwnerComputesInATask) {
  pool(2).run([] {
    for (int round = 0; round < 30; ++round) {
      for (const bool last : {false, true}) {
        fork_task([] {
          rendezvous with_owner(2);
          fork_task(meet, &with_owner);
          meet(&with_owner);
          sync_tasks();
        });
        if (!last) fork_task([] {});
        sync_tasks();
      }
      if (testing::Test::HasFailure()) return;
    }
  });
}

/// Who has come and gone, because there was no more, comes again when there is.
TEST(Parallel, TheOwnerForksMore) {
  pool(2).run([] {
    for (int round = 0; round < 30; ++round) {
      std::array<rendezvous, 3> each{rendezvous(2), rendezvous(2), rendezvous(2)};
      for (auto& with_owner : each) {
        fork_task(meet, &with_owner);
        meet(&with_owner);
        loop_tests::compute(std::chrono::microseconds(50 * round));  // the worker goes, and may sleep by then
      }
      sync_tasks();
      if (testing::Test::HasFailure()) return;
    }
  });
}

/// A task that runs until it is told, and holds an object: who comes finds that what uses it may not run yet.
class holding {
 public:
  void fork() {
    fork_task(
        [this](rw<number>) {
          meet(&begins_);
          meet(&ends_);
        },
        it_);
    meet(&begins_);
  }
  void fork_others(int count) {
    for (int i = 0; i < count; ++i) fork_task([](rw<number> own) { ++*own; }, it_);
    loop_tests::compute(std::chrono::milliseconds(2));  // somebody comes and goes
  }
  void end() { meet(&ends_); }
  [[nodiscard]] number others() const { return *it_; }

 private:
  rendezvous begins_{2}, ends_{2};
  shared<number> it_{0U};
};

/// What may not run yet does not hide what is forked behind it.
TEST(Parallel, TheOwnerForksMoreBehindSomeThatWait) {
  pool(3).run([] {
    for (int round = 0; round < 5; ++round) {
      holding some;
      some.fork();
      some.fork_others(4);
      rendezvous with_owner(2);
      fork_task(meet, &with_owner);
      meet(&with_owner);
      some.end();
      sync_tasks();
      EXPECT_EQ(some.others(), 4U);
      if (testing::Test::HasFailure()) return;
    }
  });
}

/// Nor, when it has run, what the same task forks then.
TEST(Parallel, AfterSomeHaveWaited) {
  pool(3).run([] {
    fork_task([] {
      for (int round = 0; round < 5; ++round) {
        holding some;
        some.fork();
        some.fork_others(4);
        some.end();
        sync_tasks();
        rendezvous both(2);
        fork_meeting(2, both);
        sync_tasks();
        if (testing::Test::HasFailure()) return;
      }
    });
    sync_tasks();
  });
}

/// Short tasks that were not worth a visit do not keep long ones from running at the same time.
TEST(Parallel, LongTasksBehindManyShortOnes) {
  pool(2).run([] {
    fork_task([] {
      for (int phase = 0; phase < 10; ++phase) {
        std::atomic<int> ran{0};
        for (int i = 0; i < 20'000; ++i) fork_task([&ran] { ran.fetch_add(1, std::memory_order_relaxed); });
        sync_tasks();
        ASSERT_EQ(ran, 20'000);
        rendezvous both(2);
        fork_meeting(2, both);
        sync_tasks();
        if (testing::Test::HasFailure()) return;
      }
    });
    sync_tasks();
  });
}

/// In one frame, behind them and before them.
TEST(Parallel, LongTasksAmongManyShortOnes) {
  pool(2).run([] {
    for (int phase = 0; phase < 10; ++phase) {
      std::atomic<int> ran{0};
      rendezvous both(2);
      for (int i = 0; i < 20'000; ++i) {
        if (i == 10'000) fork_meeting(2, both);
        fork_task([&ran] { ran.fetch_add(1, std::memory_order_relaxed); });
      }
      sync_tasks();
      ASSERT_EQ(ran, 20'000);
      if (testing::Test::HasFailure()) return;
    }
  });
}

/// Several owners, and each has something that only somebody else can run.
TEST(Parallel, FromTwoThreadsAtOnce) {
  pool all(3);
  const auto work = [&all] {
    all.run([] {
      for (int round = 0; round < 100; ++round) {
        rendezvous with_owner(2);
        fork_task(meet, &with_owner);
        meet(&with_owner);
        sync_tasks();
        if (testing::Test::HasFailure()) return;
      }
    });
  };
  std::thread other(work);
  work();
  other.join();
}

/// A task that runs long, and everything else: nobody waits for it who need not.
TEST(Parallel, BesideALongTask) {
  pool(2).run([] {
    for (int round = 0; round < 20; ++round) {
      constexpr int others = 300;
      std::atomic<int> ended{0};
      fork_task([&ended] { EXPECT_TRUE(becomes([&ended] { return ended == others; })) << ended; });
      for (int i = 0; i < others; ++i) {
        fork_task([&ended] {
          loop_tests::compute(std::chrono::microseconds(20));
          ++ended;
        });
      }
      sync_tasks();
      if (testing::Test::HasFailure()) return;
    }
  });
}

}  // namespace
