// SPDX-License-Identifier: Apache-2.0
// Which task has to wait for which: what the graph finds, against all pairs of accesses.
#include "dataflow/graph.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <deque>
#include <mutex>
#include <steelyard/access.hpp>
#include <string>
#include <thread>
#include <vector>

#include "all_pairs.hpp"

namespace {

using namespace dataflow_tests;

/// Adds and ends tasks at random, then all; the graph is used again.
void expect_as_all_pairs(steelyard_access (*make)(random_numbers&), number most_accesses, int rounds = 40) {
  static number seed = 0;
  for (int round = 0; round < rounds; ++round) {
    SCOPED_TRACE("seed " + std::to_string(++seed));
    random_numbers random(seed);
    program its;
    for (int phase = 0; phase < 2; ++phase) {
      const auto of_ten_added = 4 + random.below(6);
      for (int step = 0; step < 120; ++step) {
        if (random.below(10) < of_ten_added) {
          ASSERT_NO_FATAL_FAILURE(its.add(some(make, most_accesses, random)));
        } else {
          its.end_one(random);
        }
      }
      ASSERT_NO_FATAL_FAILURE(its.end_all(random));
    }
  }
}

TEST(Graph, OfObjectsAsAllPairs) { expect_as_all_pairs(any_object, 1); }
TEST(Graph, OfSeveralObjectsAsAllPairs) { expect_as_all_pairs(any_object, 4); }
TEST(Graph, OfRangesAsAllPairs) { expect_as_all_pairs(any_range, 2); }
TEST(Graph, OfBlocksAsAllPairs) { expect_as_all_pairs(any_block, 3); }
TEST(Graph, OfEverythingAsAllPairs) { expect_as_all_pairs(any_access, 5); }

/// As many as a task may have.
TEST(Graph, OfManyAccessesAsAllPairs) { expect_as_all_pairs(any_access, STEELYARD_MOST_ACCESSES - 1, 5); }

/// The first part sets the unit of the grid: here a single element, so that all others lie in many squares; or all of it.
TEST(Graph, FromTheSmallestAndFromTheLargestPart) {
  const auto* const of = &places[5];
  const steelyard_access element{of, STEELYARD_WRITE, 7, 7, 1, 1}, all{of, STEELYARD_WRITE, 0, 0, 4096, 4096};
  const steelyard_access row{of, STEELYARD_WRITE, 7, 0, 1, 4096}, other_row{of, STEELYARD_READ, 8, 0, 1, 4096};
  for (const auto& first : {element, all}) {
    random_numbers random(1);
    program its;
    for (const auto& each : {first, row, other_row, element, all, row, element, other_row, all}) {
      ASSERT_NO_FATAL_FAILURE(its.add({each}));
    }
    ASSERT_NO_FATAL_FAILURE(its.end_all(random));
  }
}

/// The last squares of what 64 bits can number.
TEST(Graph, PartsFarOut) {
  const auto far = ~number{0} - 100;
  random_numbers random(1);
  program its;
  for (const auto first : {far, far + 5, number{0}, far + 10, far + 12}) {
    ASSERT_NO_FATAL_FAILURE(its.add({{&places[3], STEELYARD_WRITE, 0, first, 1, 6}}));
  }
  ASSERT_NO_FATAL_FAILURE(its.end_all(random));
}

/// Parts without elements, as algorithms that divide have them.
TEST(Graph, EmptyPartsConflictWithNothing) {
  double elements[9];
  const steelyard::range<double> row(elements, 9);
  const steelyard::block<double> matrix(elements, 3, 3);
  graph of;
  std::deque<task_node> nodes;
  const auto all = row.access(STEELYARD_WRITE);
  EXPECT_EQ(of.add(nodes.emplace_back(), {&all, 1}), verdict::ready);
  for (const auto& part : {row.part(4, 0).access(STEELYARD_WRITE), matrix.part(0, 1, 0, 2).access(STEELYARD_WRITE),
                           matrix.part(1, 1, 2, 0).access(STEELYARD_WRITE)}) {
    EXPECT_EQ(of.add(nodes.emplace_back(), {&part, 1}), verdict::ready);
    EXPECT_EQ(of.add(nodes.emplace_back(), {&part, 1}), verdict::ready);
  }
}

/// Many parts of one array, of which the first is all of it: squares become smaller as parts come, and nothing is lost.
TEST(Graph, ManySmallPartsOfALargeOne) {
  for (const number first : {1, 64, 4096}) {
    random_numbers random(first);
    program its;
    ASSERT_NO_FATAL_FAILURE(its.add({{&places[3], STEELYARD_WRITE, 0, 0, 1, first}}));
    for (int i = 0; i < 400; ++i) {
      const auto size = 1 + random.below(random.one_of<number>({1, 16, 200}));
      ASSERT_NO_FATAL_FAILURE(its.add({{&places[3], any_use(random), 0, random.below(4097 - size), 1, size}}));
    }
    ASSERT_NO_FATAL_FAILURE(its.end_all(random));
  }
}

/// Tasks one after the other, of which the last `pending` have not ended.
struct running {
  explicit running(std::size_t unfinished) : pending(unfinished) {}
  void add(const steelyard_access& access) {
    ASSERT_NE(of.add(nodes.emplace_back(), {&access, 1}), verdict::no_memory);
    if (nodes.size() <= pending) return;
    nodes[nodes.size() - pending - 1].end([](task_node&) {});
    most_places = std::max(most_places, of.size().places);
  }
  std::size_t pending;
  graph of;
  std::deque<task_node> nodes;
  std::size_t most_places = 0;
};

/// Objects that nobody uses any more leave the graph, and so do parts of arrays, and arrays.
TEST(Graph, DeadObjectsLeave) {
  std::vector<char> objects(100'000);
  for (const bool are_arrays : {false, true}) {
    running all(100);
    for (const char& object : objects) {
      const steelyard_access whole{&object, STEELYARD_WRITE, 0, 0, STEELYARD_WHOLE, STEELYARD_WHOLE};
      ASSERT_NO_FATAL_FAILURE(all.add(are_arrays ? steelyard_access{&object, STEELYARD_WRITE, 0, 5, 1, 5} : whole));
      // All of them also wait for the one before.
      const steelyard_access chain{&places[0], STEELYARD_WRITE, 0, 0, STEELYARD_WHOLE, STEELYARD_WHOLE};
      ASSERT_NO_FATAL_FAILURE(all.add(chain));
    }
    EXPECT_LT(all.most_places, 1000U);
    EXPECT_LT(all.of.size().links, 10'000U);
  }
}

/// Parts that overlap in any way: a task waits for a few others, and what is covered by later ones is forgotten, though none
/// has ended.
TEST(Graph, OverlappingPartsCostNothing) {
  constexpr std::size_t tasks = 20'000;
  random_numbers random(1);
  running all(tasks);
  for (std::size_t i = 0; i < tasks; ++i) {
    const auto size = 1 + random.below(1000);
    ASSERT_NO_FATAL_FAILURE(all.add({&places[3], STEELYARD_WRITE, 0, random.below(99'000), 1, size}));
  }
  EXPECT_LT(all.of.size().places, 1000U);
  EXPECT_LT(all.of.size().links, 6 * tasks);
}

/// One thread adds tasks while others run those that are ready, which use what they access.
TEST(Graph, TasksEndMeanwhile) {
  for (number seed = 1; seed <= 20; ++seed) {
    random_numbers random(seed);
    graph of;
    std::deque<task> all;
    for (int i = 0; i < 300; ++i) all.emplace_back(some(any_access, 3, random));
    std::mutex lock;
    std::vector<task*> ready;
    std::atomic<std::size_t> ended{0};
    std::atomic<bool> wrong{false};
    std::vector<number> last(all.size());  // written by each task, read by those that conflict
    const auto run_all = [&] {
      while (ended < all.size()) {
        task* mine = nullptr;
        {
          const std::lock_guard here(lock);
          if (!ready.empty()) mine = ready.back(), ready.pop_back();
        }
        if (mine == nullptr) {
          std::this_thread::yield();
          continue;
        }
        for (std::size_t i = 0; &all[i] != mine; ++i) {
          const bool before = std::any_of(mine->its.begin(), mine->its.end(), [&](const auto& a) {
            return std::any_of(all[i].its.begin(), all[i].its.end(), [&a](const auto& b) { return conflict(a, b); });
          });
          if (before && last[i] != 1) wrong = true;
        }
        for (std::size_t i = 0; i < all.size(); ++i) {
          if (&all[i] == mine) last[i] += 1;
        }
        mine->node.end([&](task_node& node) {
          const std::lock_guard here(lock);
          ready.push_back(reinterpret_cast<task*>(&node));
        });
        ++ended;
      }
    };
    std::vector<std::thread> others;
    for (int i = 0; i < 2; ++i) others.emplace_back(run_all);
    for (auto& each : all) {
      if (of.add(each.node, each.its) != verdict::ready) continue;
      const std::lock_guard here(lock);
      ready.push_back(&each);
    }
    for (auto& each : others) each.join();
    ASSERT_FALSE(wrong) << "seed " << seed;
    for (const auto runs : last) ASSERT_EQ(runs, 1U);
  }
}

}  // namespace
