// SPDX-License-Identifier: Apache-2.0
// Recordings and renaming: the same results as forking each time, and one object for all.
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <random>
#include <stdexcept>
#include <steelyard/dataflow.hpp>
#include <steelyard/pool.hpp>
#include <string>
#include <vector>

#include "../task/tasks.hpp"

namespace {

using steelyard::fork_task, steelyard::pool, steelyard::r, steelyard::recording, steelyard::renaming, steelyard::rw,
    steelyard::sequential, steelyard::shared, steelyard::sync_tasks, steelyard::w;
using task_tests::meeting;

using cells = std::vector<shared<unsigned>>;

void combine(unsigned seed, r<unsigned> from, rw<unsigned> into) { *into = *into * 31 + *from + seed; }
void write(const std::string& text, r<unsigned> from, w<unsigned> into) {
  const unsigned value = *from;
  *into = value * 7 + static_cast<unsigned>(text.size());
}
void nested(unsigned seed, steelyard::rp<unsigned> from, steelyard::rwp<unsigned> into) {
  for (unsigned i = 0; i < 3; ++i) fork_task(combine, seed + i, from, into);
}

void fork_some(unsigned seed, cells& all) {
  std::minstd_rand random(seed + 1);
  for (int i = 0; i < 300; ++i) {
    const auto a = random() % all.size(), b = (a + 1 + random() % (all.size() - 1)) % all.size();
    const auto value = static_cast<unsigned>(random());
    switch (random() % 3) {
      case 0:
        fork_task(combine, value, all[a], all[b]);
        break;
      case 1:
        fork_task(write, std::string(value % 60, 'x'), all[a], all[b]);
        break;
      default:
        fork_task(nested, value, all[a], all[b]);
    }
  }
}

template <class... A>
cells some_cells(unsigned count, A... how) {
  cells all;
  for (unsigned i = 0; i < count; ++i) all.emplace_back(how..., i);
  return all;
}

void expect_same(const cells& found, const cells& expected, unsigned seed) {
  for (std::size_t i = 0; i < found.size(); ++i) ASSERT_EQ(*found[i], *expected[i]) << "seed " << seed << " cell " << i;
}

class Dataflow : public testing::TestWithParam<unsigned> {
 protected:
  template <class F>
  steelyard_task_counts in_pool(F f) {
    pool its(GetParam());
    its.run(f);
    steelyard_task_counts counts{};
    steelyard_pool_task_counts(its.handle(), &counts);
    return counts;
  }
};
INSTANTIATE_TEST_SUITE_P(Pools, Dataflow, testing::Values(1, 2, 3, 8));

TEST_P(Dataflow, ARecordingRunsAsIfForkedAnew) {
  constexpr unsigned programs = 12, runs = 10;
  const auto counts = in_pool([&] {
    for (unsigned seed = 0; seed < programs; ++seed) {
      auto found = some_cells(2 + seed), expected = some_cells(2 + seed);
      const recording noted([&] { fork_some(seed, found); });
      auto& all = const_cast<recording&>(noted);
      for (unsigned i = 0; i < runs; ++i) {
        all.run();
        const sequential calls;
        fork_some(seed, expected);
      }
      expect_same(found, expected, seed);
    }
  });
  if (GetParam() == 1) {
    EXPECT_EQ(counts.analysed, 0U);
  }
}

TEST_P(Dataflow, ARecordingIsLookedAtOnce) {
  constexpr unsigned tasks = 200;
  pool its(GetParam());
  const auto looked_at = [&its] {
    steelyard_task_counts counts{};
    steelyard_pool_task_counts(its.handle(), &counts);
    return counts.analysed;
  };
  const unsigned expected = GetParam() == 1 ? 0 : tasks;
  its.run([&] {
    auto all = some_cells(20);
    recording noted([&] {
      for (unsigned i = 0; i < tasks; ++i) {
        fork_task(
            [](rw<unsigned> it) {
              for (unsigned k = 0; k < 20'000; ++k) *it = *it * 31 + k;
            },
            all[i % all.size()]);
      }
    });
    while (looked_at() < expected) noted.run();  // somebody comes
    for (int i = 0; i < 20; ++i) noted.run();
  });
  EXPECT_EQ(looked_at(), expected);
}

TEST_P(Dataflow, RenamingChangesNoResult) {
  in_pool([] {
    for (unsigned seed = 0; seed < 30; ++seed) {
      auto found = some_cells(2 + seed % 7, renaming), expected = some_cells(2 + seed % 7);
      fork_some(seed, found);
      sync_tasks();
      fork_some(seed + 1, found);
      sync_tasks();
      const sequential calls;
      fork_some(seed, expected);
      fork_some(seed + 1, expected);
      expect_same(found, expected, seed);
    }
  });
}

/// A reader of the old object and a writer of the new one are in their tasks at the same time.
TEST(Renaming, AWriterDoesNotWaitForReaders) {
  pool(2).run([] {
    static meeting* writes = nullptr;
    meeting here;
    writes = &here;
    shared<int> object(renaming, 1);
    shared<int> seen(0);
    shared<bool> met(false);
    fork_task(
        [](r<int> old, w<int> into, w<bool> both) {
          *both = writes->wait();
          *into = *old;
        },
        object, seen, met);
    fork_task(
        [](w<int> fresh) {
          *fresh = 2;
          writes->come();
        },
        object);
    sync_tasks();
    EXPECT_TRUE(*met);
    EXPECT_EQ(*seen, 1);
    EXPECT_EQ(*object, 2);
  });
}

TEST(Renaming, OldObjectsEnd) {
  struct counted {
    std::shared_ptr<int> token;
  };
  const auto token = std::make_shared<int>(0);
  pool(3).run([&] {
    shared<counted> object(renaming);
    for (int i = 0; i < 1000; ++i) fork_task([token](w<counted> it) { it->token = token; }, object);
    sync_tasks();
    EXPECT_EQ(token.use_count(), 2);  // that in the last object
  });
  EXPECT_EQ(token.use_count(), 1);
}

TEST(Recording, RefusesWhatCannotRunAgain) {
  pool(2).run([] {
    shared<int> object(0);
    EXPECT_THROW(recording([&] { fork_task([](std::unique_ptr<int>, w<int>) {}, std::make_unique<int>(1), object); }),
                 std::invalid_argument);
    recording other([&] { fork_task([](rw<int> it) { ++*it; }, object); });
    EXPECT_THROW(recording([&] { other.run(); }), std::invalid_argument);
    EXPECT_THROW(recording([&] {
                   fork_task([](rw<int>) {}, object);
                   other.run();
                 }),
                 std::invalid_argument);
    EXPECT_EQ(*object, 0);
    other.run();
    EXPECT_EQ(*object, 1);
    *object = 0;
    EXPECT_THROW(recording([&] {
                   const shared<int> local(0);
                   fork_task([](w<int>) {}, object);
                 }),
                 std::invalid_argument);
    EXPECT_THROW(recording([&] {
                   fork_task([](rw<int> it) { ++*it; }, object);
                   throw 1;
                 }),
                 int);
    // Nothing of it has run, and tasks run as before.
    fork_task([](rw<int> it) { *it += 5; }, object);
    sync_tasks();
    EXPECT_EQ(*object, 5);
  });
}

TEST_P(Dataflow, ARecordingThatThrewRunsAgain) {
  in_pool([] {
    shared<int> object(0);
    recording twice([&] {
      fork_task(
          [](rw<int> it) {
            if (++*it == 2) throw std::out_of_range("two");
          },
          object);
      fork_task([](rw<int> it) { *it *= 10; }, object);
    });
    twice.run();
    EXPECT_EQ(*object, 10);
    *object = 1;
    EXPECT_THROW(twice.run(), std::out_of_range);
    EXPECT_EQ(*object, 2);
    twice.run();
    EXPECT_EQ(*object, 30);
  });
}

TEST_P(Dataflow, ARecordingRunsInATaskAndBehindWhatWasForked) {
  in_pool([] {
    shared<int> object(1);
    recording doubled([&] { fork_task([](rw<int> it) { *it *= 2; }, object); });
    fork_task([](rw<int> it) { *it += 4; }, object);
    doubled.run();
    EXPECT_EQ(*object, 10);
    struct runs {
      recording* what;
      void operator()(steelyard::rwp<int>) const { what->run(); }
    };
    for (int i = 0; i < 3; ++i) fork_task(runs{&doubled}, object);
    sync_tasks();
    EXPECT_EQ(*object, 80);
  });
}

TEST(Recording, OfNothing) {
  recording nothing([] {});
  nothing.run();
}

TEST(Recording, SequentialRunsItOneByOne) {
  shared<int> object(0);
  recording twice([&] {
    fork_task([](rw<int> it) { *it += 1; }, object);
    fork_task([](rw<int> it) { *it *= 3; }, object);
  });
  const sequential calls;
  twice.run();
  twice.run();
  EXPECT_EQ(*object, 12);
}

}  // namespace
