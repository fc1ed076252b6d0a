// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "dataflow/graph.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <vector>

#include "helpers.hpp"

/// What the graph is to find, from all pairs of accesses; and tasks that access anything.
namespace dataflow_tests {

using steelyard::dataflow::graph;
using steelyard::dataflow::task_node;
using verdict = graph::verdict;

/// How many more times this thread may allocate; negative: as often as it likes. Where operator new looks at it.
inline thread_local long allocations_left = -1;

inline constexpr char places[8] = {};
inline constexpr char operations[2] = {};
inline const auto add = reinterpret_cast<std::uintptr_t>(&operations[0]);
inline const auto multiply = reinterpret_cast<std::uintptr_t>(&operations[1]);

inline bool overlap(number a, number a_size, number b, number b_size) { return a < b + b_size && b < a + a_size; }

/// Two accesses of one part that cumulate by one operation do not conflict; of parts that only overlap they do.
inline bool conflict(const steelyard_access& a, const steelyard_access& b) {
  if (a.of != b.of || (a.how == STEELYARD_READ && b.how == STEELYARD_READ)) return false;
  if (a.rows == STEELYARD_WHOLE || b.rows == STEELYARD_WHOLE)
    return a.rows == b.rows && (a.how != b.how || a.how == STEELYARD_WRITE);
  const bool same = a.row == b.row && a.column == b.column && a.rows == b.rows && a.columns == b.columns;
  if (same && a.columns != 0 && a.how == b.how) return a.how == STEELYARD_WRITE;
  return overlap(a.row, a.rows, b.row, b.rows) && overlap(a.column, a.columns, b.column, b.columns) && a.columns != 0 &&
         b.columns != 0;
}

using accesses = std::vector<steelyard_access>;

struct task {
  explicit task(accesses of) : its(std::move(of)) {}
  task_node node;
  accesses its;
  bool is_ready = false;
  bool has_ended = false;
};

/// The graph and, beside it, the tasks in the order of the program.
class program {
 public:
  /// Adds a task; what the graph says of it is what all pairs say.
  void add(accesses its) {
    auto& it = all_.emplace_back(std::move(its));
    const auto says = graph_.add(it.node, it.its);
    ASSERT_NE(says, verdict::no_memory);
    it.is_ready = says == verdict::ready;
    ASSERT_EQ(it.is_ready, may_run(all_.size() - 1)) << "task " << all_.size() - 1;
  }

  /// The same with no memory for more than so many allocations; false: that was not enough, and there is no such task.
  bool add_with(long allocations, accesses its) {
    auto& it = all_.emplace_back(std::move(its));
    allocations_left = allocations;
    const auto says = graph_.add(it.node, it.its);
    allocations_left = -1;
    if (says == verdict::no_memory) {
      all_.pop_back();
      return false;
    }
    it.is_ready = says == verdict::ready;
    EXPECT_EQ(it.is_ready, may_run(all_.size() - 1)) << "task " << all_.size() - 1;
    return true;
  }

  /// Ends a task that is ready; false: there is none.
  bool end_one(random_numbers& random) {
    std::vector<task*> ready;
    for (auto& each : all_) {
      if (each.is_ready && !each.has_ended) ready.push_back(&each);
    }
    if (ready.empty()) return false;
    auto& ends = *ready[random.below(ready.size())];
    ends.has_ended = true;
    ends.node.end([this](task_node& node) {
      for (auto& each : all_) {
        if (&each.node != &node) continue;
        EXPECT_FALSE(each.is_ready) << "it was told twice";
        each.is_ready = true;
      }
    });
    return true;
  }

  /// Each task is ready if and only if all have ended that it conflicts with.
  void check() {
    for (std::size_t i = 0; i < all_.size(); ++i) ASSERT_EQ(all_[i].is_ready, may_run(i)) << "task " << i;
  }

  void end_all(random_numbers& random) {
    while (end_one(random)) ASSERT_NO_FATAL_FAILURE(check());
    for (auto& each : all_) ASSERT_TRUE(each.has_ended);
    graph_.clear();
    all_.clear();
  }

 private:
  [[nodiscard]] bool may_run(std::size_t which) const {
    for (std::size_t i = 0; i < which; ++i) {
      if (all_[i].has_ended) continue;
      for (const auto& a : all_[i].its) {
        if (std::any_of(all_[which].its.begin(), all_[which].its.end(), [&a](const auto& b) { return conflict(a, b); }))
          return false;
      }
    }
    return true;
  }

  graph graph_;
  std::deque<task> all_;
};

inline std::uintptr_t any_use(random_numbers& random) {
  return random.one_of({STEELYARD_READ, STEELYARD_READ, STEELYARD_WRITE, add, add, multiply});
}

inline steelyard_access any_object(random_numbers& random) {
  return {&places[random.below(3)], any_use(random), 0, 0, STEELYARD_WHOLE, STEELYARD_WHOLE};
}

/// Of an array of 100, and small or large parts of it.
inline steelyard_access any_range(random_numbers& random) {
  const auto size = 1 + random.below(random.one_of<number>({1, 5, 100}));
  return {&places[3 + random.below(2)], any_use(random), 0, random.below(101 - size), 1, size};
}

/// Of a matrix of 40 by 40: most are tiles of one size, as programs have them; some are large, or lie anyhow.
inline steelyard_access any_block(random_numbers& random) {
  const auto* const of = &places[5 + random.below(2)];
  if (random.below(3) != 0) return {of, any_use(random), 4 * random.below(10), 4 * random.below(10), 4, 4};
  const auto most = random.one_of<number>({1, 6, 40});
  const auto rows = 1 + random.below(most), columns = 1 + random.below(most);
  return {of, any_use(random), random.below(41 - rows), random.below(41 - columns), rows, columns};
}

inline steelyard_access any_access(random_numbers& random) {
  return random.one_of({any_object, any_range, any_block})(random);
}

inline accesses some(steelyard_access (*make)(random_numbers&), number most, random_numbers& random) {
  accesses its(1 + random.below(most));
  for (auto& each : its) each = make(random);
  // One place several times, in one way or another.
  if (random.below(4) == 0) {
    its.push_back(its[random.below(its.size())]);
    its.back().how = any_use(random);
  }
  return its;
}

}  // namespace dataflow_tests
