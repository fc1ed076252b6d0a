// SPDX-License-Identifier: Apache-2.0
// How long shared objects live, and those that a task that only writes gets anew.
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "helpers.hpp"

namespace {

using namespace dataflow_tests;

void touch_late(rw<counted> it) {
  loop_tests::compute(std::chrono::microseconds(20));
  ++it->value;
}

class Shared : public testing::Test {
 protected:
  ~Shared() override { EXPECT_EQ(counted::alive, 0) << "objects that were lost, or freed twice"; }
};

/// On some numbers of threads.
template <class F>
void on_pools(F f) {
  for (const unsigned threads : {1U, 2U, 4U}) pool(threads).run(f);
}

TEST_F(Shared, LivesAsLongAsTasksUseIt) {
  on_pools([] {
    for (int round = 0; round < 100; ++round) {
      {
        const shared<counted> unused;
        shared<counted> it;
        for (int i = 0; i < 5; ++i) fork_task(touch_late, it);
      }
      sync_tasks();
      ASSERT_EQ(counted::alive, 0);
    }
  });
}

TEST_F(Shared, WithoutTasks) {
  shared<counted> it;
  EXPECT_EQ(it->value, 0U);
  const shared<std::vector<number>> much(3U, number{7});
  EXPECT_EQ(*much, std::vector<number>(3, 7));
  const auto moved = std::move(it);
  EXPECT_EQ(counted::alive, 1);
}

TEST_F(Shared, MovesWhileTasksUseIt) {
  on_pools([] {
    for (int round = 0; round < 100; ++round) {
      {
        std::vector<shared<counted>> all;
        for (int i = 0; i < 9; ++i) fork_task(touch_late, all.emplace_back());
        all[0] = std::move(all[1]);
        all[2] = shared<counted>();
        std::swap(all[3], all[4]);
        for (auto& each : all) {
          if (&each != &all[1]) fork_task(touch_late, each);
        }
        sync_tasks();
        EXPECT_EQ(all[0]->value, 2U);
        EXPECT_EQ(all[2]->value, 1U);
        EXPECT_EQ(all[3]->value, 2U);
        for (auto& each : all) {
          if (&each != &all[1]) fork_task(touch_late, each);
        }
      }
      sync_tasks();
      ASSERT_EQ(counted::alive, 0);
    }
  });
}

/// A reader of the last object waits until a writer of the next one has come.
TEST_F(Shared, RenamingLetsWritersGoAhead) {
  struct plain {
    number value = 0;
    counted also;
  };
  on_pools([] {
    shared<plain> it(renaming);
    for (number i = 0; i < 300; ++i) {
      fork_task([i](w<plain> own) { own->value = i; }, it);
      fork_task([i](r<plain> own) { EXPECT_EQ(own->value, i); }, it);
      fork_task([](rw<plain> own) { ++own->value; }, it);
      fork_task([i](r<plain> own) { EXPECT_EQ(own->value, i + 1); }, it);
    }
    fork_task([](wp<plain> own) { fork_task([](w<plain> its) { its->value = 5; }, own); }, it);
    sync_tasks();
    EXPECT_EQ(it->value, 5U);
    EXPECT_EQ(counted::alive, 1);
  });
  pool(2).run([] {
    shared<plain> it(renaming);
    rendezvous both(2);
    fork_task([&both](r<plain>) { EXPECT_TRUE(both.come()) << "the writer waits for a reader"; }, it);
    fork_task([&both](w<plain>) { EXPECT_TRUE(both.come()); }, it);
    sync_tasks();
  });
}

/// Without tasks of its own a program sees one object.
TEST_F(Shared, RenamingWhereTasksAreCalls) {
  const steelyard::sequential here;
  shared<number> it(renaming, 3U);
  number* const first = &*it;
  fork_task([](w<number> own) { *own = 4; }, it);
  EXPECT_EQ(&*it, first);
  EXPECT_EQ(*it, 4U);
}

/// One that throws in its constructor when it is told to.
struct reluctant {
  reluctant() {
    if (throws) throw std::bad_alloc();
  }
  counted also;
  number value = 0;
  static inline bool throws = false;
};

/// When there is no object for one argument nothing has been forked, and the others are as they were.
TEST_F(Shared, RenamingThatThrows) {
  for (const unsigned threads : {1U, 2U}) {
    pool(threads).run([] {
      shared<reluctant> second(renaming);
      shared<counted> first(renaming);
      first->value = second->value = 7;
      std::atomic<bool> ran{false};
      const auto task = [&ran](w<counted>, w<reluctant>) { ran = true; };
      fork_task([] {});
      reluctant::throws = true;
      EXPECT_THROW(fork_task(task, first, second), std::bad_alloc);
      reluctant::throws = false;
      sync_tasks();
      EXPECT_FALSE(ran);
      EXPECT_EQ(first->value, 7U);
      EXPECT_EQ(second->value, 7U);
      fork_task([](rw<counted> own) { ++own->value; }, first);
      sync_tasks();
      EXPECT_EQ(first->value, 8U);
    });
  }
}

/// A task that gets it twice gets one object.
TEST_F(Shared, RenamingOneObjectForTwoParameters) {
  on_pools([] {
    shared<number> it(renaming, 1U);
    fork_task([] {});
    fork_task(
        [](w<number> a, w<number> b) {
          EXPECT_EQ(&*a, &*b);
          *a = 2;
          *b += 1;
        },
        it, it);
    fork_task(
        [](rw<number> a, w<number> b) {
          ++*a;
          *b *= 2;
        },
        it, it);
    sync_tasks();
    EXPECT_EQ(*it, 8U);
  });
}

}  // namespace
