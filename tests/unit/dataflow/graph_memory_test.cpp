// SPDX-License-Identifier: Apache-2.0
// The graph where there is no memory, or little.
#include "dataflow/graph.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <new>
#include <string>
#include <vector>

#include "all_pairs.hpp"

namespace {

void* allocate(std::size_t bytes) {
  using dataflow_tests::allocations_left;
  if (allocations_left == 0) throw std::bad_alloc();
  if (allocations_left > 0) --allocations_left;
  if (void* const at = std::malloc(bytes != 0 ? bytes : 1)) return at;
  throw std::bad_alloc();
}

}  // namespace

void* operator new(std::size_t bytes) { return allocate(bytes); }
void* operator new[](std::size_t bytes) { return allocate(bytes); }
void operator delete(void* at) noexcept { std::free(at); }
void operator delete[](void* at) noexcept { std::free(at); }
void operator delete(void* at, std::size_t) noexcept { std::free(at); }
void operator delete[](void* at, std::size_t) noexcept { std::free(at); }

namespace {

using namespace dataflow_tests;

/// Parts without elements, as algorithms that divide have them, cost no more than others.
TEST(Graph, EmptyRangesLieInNoSquares) {
  for (const number first : {0, 1, 50}) {
    for (const number unit : {1, 10}) {
      graph of;
      std::deque<task_node> nodes(2);
      const steelyard_access some{&places[3], STEELYARD_WRITE, 0, 0, 1, unit};
      const steelyard_access none{&places[3], STEELYARD_WRITE, 0, first, 1, 0};
      if (unit != 1) {
        ASSERT_EQ(of.add(nodes[0], {&some, 1}), verdict::ready);
      }
      allocations_left = 100;
      const auto says = of.add(nodes[1], {&none, 1});
      allocations_left = -1;
      EXPECT_NE(says, verdict::no_memory) << "first " << first << ", unit " << unit;
    }
  }
}

/// A task is tied to the last ones that it has to wait for, not to all that came before those.
TEST(Graph, LongHistoriesCostNothing) {
  const auto read = STEELYARD_READ, write = STEELYARD_WRITE;
  const std::vector<std::vector<std::uintptr_t>> histories{{write},     {write, read},      {add, multiply},
                                                           {read, add}, {add, write, read}, {add, add, write}};
  for (const auto& history : histories) {
    constexpr std::size_t tasks = 5'000;
    graph of;
    std::deque<task_node> nodes(tasks);
    bool enough = true;
    allocations_left = 50;  // for links by the thousand
    for (std::size_t i = 0; i < tasks; ++i) {
      const steelyard_access access{&places[0], history[i % history.size()], 0, 0, STEELYARD_WHOLE, STEELYARD_WHOLE};
      enough &= of.add(nodes[i], {&access, 1}) != verdict::no_memory;
    }
    allocations_left = -1;
    EXPECT_TRUE(enough) << history.size() << " accesses in turn";
  }
}

/// Without memory a task is not added, and the graph is as it was: it takes the same task later, or others.
TEST(Graph, WithoutMemory) {
  int failed = 0;
  for (number seed = 1; seed <= 150; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    random_numbers random(seed);
    program its;
    for (int phase = 0; phase < 2; ++phase) {
      for (int step = 0; step < 60; ++step) {
        if (random.below(10) < 7) {
          const auto allocations = static_cast<long>(random.below(12));
          const bool again = random.below(2) == 0;
          const auto task = some(any_access, 4, random);
          if (!its.add_with(allocations, task)) {
            ++failed;
            if (again) its.add(task);
          }
          ASSERT_FALSE(HasFailure());
        } else {
          its.end_one(random);
        }
      }
      ASSERT_NO_FATAL_FAILURE(its.end_all(random));
    }
  }
  EXPECT_GT(failed, 1000);
}

/// Each allocation of a task that needs many fails in turn.
TEST(Graph, WithoutMemoryAtAnyPoint) {
  const accesses wide{{&places[5], STEELYARD_WRITE, 3, 3, 30, 30},
                      {&places[5], add, 0, 0, 4, 9},
                      {&places[3], STEELYARD_READ, 0, 3, 1, 80},
                      {&places[0], add, 0, 0, STEELYARD_WHOLE, STEELYARD_WHOLE}};
  long needed = 0;
  for (bool enough = false; !enough; ++needed) {
    ASSERT_LT(needed, 10'000);
    random_numbers random(static_cast<number>(needed));
    program its;
    for (int i = 0; i < 12; ++i) ASSERT_NO_FATAL_FAILURE(its.add(some(any_access, 3, random)));
    enough = its.add_with(needed, wide);
    if (!enough) its.add(wide);
    for (int i = 0; i < 12; ++i) ASSERT_NO_FATAL_FAILURE(its.add(some(any_access, 3, random)));
    ASSERT_NO_FATAL_FAILURE(its.end_all(random));
  }
  EXPECT_GT(needed, 5);
}

}  // namespace
