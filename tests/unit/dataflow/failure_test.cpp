// SPDX-License-Identifier: Apache-2.0
// Tasks that throw: whoever waits is told the first, what had not begun is dropped, nothing is lost or freed twice.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "helpers.hpp"

namespace {

using namespace dataflow_tests;

void increment(rw<number> it) { ++*it; }
void fail(number what) { throw what; }
void touch(rw<counted> it) { ++it->value; }

/// What sync_tasks throws; 0: nothing.
number thrown() {
  try {
    sync_tasks();
  } catch (number what) {
    return what;
  }
  return 0;
}

class Failure : public testing::Test {
 protected:
  ~Failure() override { EXPECT_EQ(counted::alive, 0) << "objects that were lost, or freed twice"; }
};

TEST_F(Failure, IsThrownWhereSomebodyWaits) {
  for (const unsigned threads : {1U, 2U, 4U}) {
    pool(threads).run([] {
      for (int round = 0; round < 100; ++round) {
        fork_task(fail, 7U);
        EXPECT_EQ(thrown(), 7U);
        EXPECT_EQ(thrown(), 0U);
      }
    });
  }
}

TEST_F(Failure, TheFirstWinsInOrder) {
  pool(1).run([] {
    int ran = 0;
    fork_task([&ran] { ++ran; });
    fork_task([] {
      fork_task(fail, 1U);
      fork_task(fail, 2U);
    });
    fork_task(fail, 3U);
    fork_task([&ran] { ++ran; });
    EXPECT_EQ(thrown(), 1U);
    EXPECT_EQ(ran, 1);
  });
}

/// The task's own exception came before those of what it has forked and not waited for.
TEST_F(Failure, TheTasksOwnIsTheFirst) {
  pool(1).run([] {
    fork_task([] {
      fork_task(fail, 1U);
      throw number{2};
    });
    fork_task([] {});
    EXPECT_EQ(thrown(), 2U);
    fork_task([] {
      fork_task(fail, 1U);
      throw number{2};
    });
    EXPECT_EQ(thrown(), 2U);
  });
}

/// It says of one of those that have thrown.
TEST_F(Failure, AnyOfMany) {
  for (const unsigned threads : {2U, 4U}) {
    pool(threads).run([] {
      for (int round = 0; round < 50; ++round) {
        for (number i = 1; i <= 20; ++i) fork_task(fail, i);
        const auto what = thrown();
        EXPECT_GE(what, 1U);
        EXPECT_LE(what, 20U);
        EXPECT_EQ(thrown(), 0U);
      }
    });
  }
}

/// How a chain of tasks goes down: the task below is the last in its frame, or not, and its parent waits for it, or not.
void descend(rwp<number> it, int depth, int kind) {
  const shared<counted> local;
  const counted also;
  fork_task(increment, it);
  if (depth == 0) throw number{42};
  fork_task(descend, it, depth - 1, kind);
  if (kind % 2 == 1) fork_task(increment, it);
  if (kind >= 2) sync_tasks();
}

TEST_F(Failure, FromAnyDepth) {
  for (const unsigned threads : {1U, 2U, 4U}) {
    pool(threads).run([] {
      for (int depth = 1; depth <= 100; depth += depth < 10 ? 1 : 9) {
        for (int kind = 0; kind < 4; ++kind) {
          shared<number> it(0U);
          fork_task(descend, it, depth, kind);
          fork_task(increment, it);
          ASSERT_EQ(thrown(), 42U) << "depth " << depth << ", kind " << kind;
          ASSERT_LE(*it, static_cast<number>(depth) + 1);
          // The frame is as good as new.
          *it = 0;
          fork_task(increment, it);
          fork_task(increment, it);
          ASSERT_EQ(thrown(), 0U);
          ASSERT_EQ(*it, 2U);
        }
      }
    });
  }
}

/// Who catches it goes on, and so does everybody else.
void catching(rwp<number> it, int depth) {
  fork_task(increment, it);
  if (depth == 0) throw number{42};
  fork_task(catching, it, depth - 1);
  EXPECT_EQ(thrown(), depth % 2 == 1 ? 42U : 0U);
  fork_task(increment, it);
  if (depth % 2 == 0) throw number{42};
}

TEST_F(Failure, IsCaughtInsideATask) {
  for (const unsigned threads : {1U, 2U, 4U}) {
    pool(threads).run([] {
      for (int round = 0; round < 100; ++round) {
        shared<number> it(0U);
        fork_task(catching, it, 9);
        ASSERT_EQ(thrown(), 0U);
        fork_task(catching, it, 10);
        ASSERT_EQ(thrown(), 42U);
      }
    });
  }
}

/// What had not begun is dropped; its arguments go, and so do the objects that it shares.
TEST_F(Failure, DropsTheRest) {
  for (const unsigned threads : {1U, 2U, 4U}) {
    pool(threads).run([] {
      for (int round = 0; round < 100; ++round) {
        std::atomic<int> ran{0};
        {
          shared<number> it(0U);
          fork_task([](rw<number>) { throw number{1}; }, it);
          for (int i = 0; i < 40; ++i) {
            const shared<counted> local, other;
            const auto both = [&ran](rw<number>, rw<counted>, const counted&, const std::array<counted, 600>&) {
              ++ran;
            };
            fork_task(both, it, const_cast<shared<counted>&>(local), counted(), std::array<counted, 600>());
            fork_task(touch, const_cast<shared<counted>&>(other));
          }
        }
        ASSERT_EQ(thrown(), 1U);
        ASSERT_EQ(ran, 0);
        ASSERT_EQ(counted::alive, 0);
      }
    });
  }
}

/// A task that unwinds with objects that what it has forked uses.
TEST_F(Failure, WithPendingTasksBehindIt) {
  for (const unsigned threads : {1U, 2U, 4U}) {
    pool(threads).run([] {
      for (int round = 0; round < 200; ++round) {
        fork_task([] {
          shared<counted> a, b;
          for (int i = 0; i < 10; ++i) {
            fork_task(touch, a);
            fork_task(touch, b);
          }
          throw number{1};
        });
        if (round % 2 == 0) fork_task([] {});
        ASSERT_EQ(thrown(), 1U);
        ASSERT_EQ(counted::alive, 0);
      }
    });
  }
}

/// Many threads run tasks of the frame, and of those below, when some of them throw.
TEST_F(Failure, WhileOthersRun) {
  for (const unsigned threads : {2U, 3U, 8U}) {
    pool(threads).run([] {
      for (number seed = 1; seed <= 60; ++seed) {
        random_numbers random(seed);
        std::atomic<int> begun{0}, ended{0};
        const bool some_throw = seed % 4 != 0;
        {
          std::array<shared<counted>, 3> objects;
          for (int i = 0; i < 200; ++i) {
            const auto own = random.below(400);
            auto& object = objects[random.below(objects.size())];
            const auto work = [&, own, some_throw, held = counted()](rw<counted> it) {
              ++begun;
              fork_task([&] { ++begun, ++ended; });
              shared<counted> local;
              fork_task(touch, local);
              ++it->value;
              loop_tests::compute(std::chrono::microseconds(own % 8));
              ++ended;
              if (some_throw && own == 0) throw number{1};
            };
            fork_task(work, object);
          }
        }
        const auto what = thrown();
        ASSERT_EQ(begun, ended);
        ASSERT_EQ(counted::alive, 0);
        if (what == 0) {
          ASSERT_EQ(ended, 400);
        }
        if (!some_throw) {
          ASSERT_EQ(what, 0U);
        }
      }
    });
  }
}

/// Cannot be copied when it is told not to be.
struct reluctant {
  explicit reluctant(bool* throws) : throws_(throws) {}
  reluctant(const reluctant& other) : throws_(other.throws_) {
    if (*throws_) throw number{5};
  }
  reluctant(reluctant&& other) noexcept : throws_(other.throws_) {}
  counted also;

 private:
  bool* throws_;
};

TEST_F(Failure, OfCopiesIsThrownAtOnce) {
  for (const unsigned threads : {1U, 2U}) {
    pool(threads).run([] {
      for (int round = 0; round < 50; ++round) {
        std::atomic<int> ran{0};
        bool throws = false;
        const reluctant argument(&throws);
        const auto task = [&ran](const counted&, const reluctant&, rw<number> it) { ran += static_cast<int>(*it); };
        const auto large_task = [&ran](const reluctant&, const std::array<counted, 5000>&, rw<number> it) {
          ran += static_cast<int>(*it);
        };
        shared<number> it(1U);
        fork_task(task, counted(), argument, it);
        throws = true;
        EXPECT_THROW(fork_task(task, counted(), argument, it), number);
        EXPECT_THROW(fork_task(large_task, argument, std::array<counted, 5000>(), it), number);
        const auto closure = [&ran, argument = (throws = false, argument)] { ++ran; };
        throws = true;
        EXPECT_THROW(fork_task(closure), number);
        throws = false;
        fork_task(large_task, argument, std::array<counted, 5000>(), it);
        fork_task(closure);
        EXPECT_EQ(thrown(), 0U);
        EXPECT_EQ(ran, 3);
      }
    });
  }
}

/// Where fork_task is a call, it throws what the task throws.
TEST_F(Failure, OfACall) {
  const steelyard::sequential here;
  EXPECT_THROW(fork_task(fail, 1U), number);
  EXPECT_THROW(fork_task([] { fork_task(fail, 1U); }), number);
  sync_tasks();
}

/// A thread that ends tells nobody.
TEST_F(Failure, OfAThreadThatEnds) {
  for (int round = 0; round < 20; ++round) {
    std::thread([] {
      for (int i = 0; i < 20; ++i) {
        shared<counted> local;
        fork_task(touch, local);
        if (i % 5 == 4) fork_task(fail, 1U);
      }
    }).join();
    ASSERT_EQ(counted::alive, 0);
  }
}

/// `sequential` waits for what is pending, and throws what that has thrown; tasks are none of its then.
TEST_F(Failure, OfWhatIsPendingBeforeSequential) {
  pool(2).run([] {
    fork_task(fail, 3U);
    EXPECT_THROW(const steelyard::sequential here, number);
    rendezvous both(2);
    fork_task([&both] { EXPECT_TRUE(both.come()) << "tasks are calls still"; });
    EXPECT_TRUE(both.come());
    sync_tasks();
  });
}

}  // namespace
