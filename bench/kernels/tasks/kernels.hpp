// SPDX-License-Identifier: Apache-2.0
// The task kernels, over a policy (calls.hpp). A kernel is made once; then `prepare` makes its input anew, `solve<Tasks>` is
// timed, `result` is the same in all runs and on all runtimes, and `is_right` knows whether it is.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <utility>

#include "sorts.hpp"
#include "strassen.hpp"
#include "uts.hpp"
#include "work.hpp"

namespace task_kernels {

// The ways to put n queens on a board, a task for each safe place, which gets a copy of the board.
template <class Tasks>
std::int64_t place_queens(const work::board& so_far, int row, int n) {
  if (row == n) return 1;
  std::int8_t safe[20];
  const int places = work::safe_places(so_far, row, n, safe);
  if (places == 0) return 0;
  return Tasks::sum(places, [&](int i) {
    work::board next = so_far;
    next.column[row] = safe[i];
    return place_queens<Tasks>(next, row + 1, n);
  });
}

// The nodes of an unbalanced tree, a task for each.
template <class Tasks>
std::int64_t count(const uts::tree& of, const uts::node& at) {
  const int children = of.children(at);
  if (children == 0) return 1;
  return 1 + Tasks::sum(children, [&](int i) { return count<Tasks>(of, at.child(static_cast<std::uint32_t>(i))); });
}

// Kernels that find a number.
class numeric {
 public:
  void prepare() {}
  [[nodiscard]] std::int64_t result() const { return found; }

 protected:
  std::int64_t found = 0;
};

class fib : public numeric {
 public:
  explicit fib(std::int64_t n) : n_(static_cast<int>(n)) {}
  template <class Tasks>
  void solve() {
    found = Tasks::fib(n_);
  }
  [[nodiscard]] bool is_right() const {
    std::int64_t a = 0, b = 1;
    for (int i = 0; i < n_; ++i) b += std::exchange(a, b);
    return found == a;
  }

 protected:
  int n_;
};

// The same with halves that leave their results where they are captured by reference, in a runtime where that is another program.
class fib_by_reference : public fib {
 public:
  using fib::fib;
  template <class Tasks>
  void solve() {
    if constexpr (requires { Tasks::fib_by_reference(1); }) {
      found = Tasks::fib_by_reference(n_);
    } else {
      found = Tasks::fib(n_);
    }
  }
};

class queens : public numeric {
 public:
  explicit queens(std::int64_t n) : n_(static_cast<int>(n)) {}
  template <class Tasks>
  void solve() {
    found = place_queens<Tasks>(work::board{}, 0, n_);
  }
  [[nodiscard]] bool is_right() const {
    static constexpr std::int64_t boards[] = {1,  1,   0,   0,    2,     10,    4,      40,
                                              92, 352, 724, 2680, 14200, 73712, 365596, 2279184};
    return n_ > 15 || found == boards[n_];
  }

 private:
  int n_;
};

class tree_search : public numeric {
 public:
  explicit tree_search(const uts::tree& of) : of_(of) {}
  template <class Tasks>
  void solve() {
    found = count<Tasks>(of_, of_.root());
  }
  [[nodiscard]] bool is_right() const { return found == of_.nodes; }

 private:
  const uts::tree& of_;
};

// The price of an option by trying random paths, tasks of 10,000.
class monte_carlo : public numeric {
 public:
  explicit monte_carlo(std::int64_t paths) : paths_(static_cast<std::uint64_t>(paths)) {}
  template <class Tasks>
  void solve() {
    found = Tasks::sum(static_cast<int>((paths_ + in_task - 1) / in_task), [this](int i) {
      const std::uint64_t first = static_cast<std::uint64_t>(i) * in_task;
      return work::payoffs(first, std::min<std::uint64_t>(in_task, paths_ - first));
    });
  }
  // A standard deviation of the mean is 15/sqrt(paths).
  [[nodiscard]] bool is_right() const {
    const double paths = static_cast<double>(paths_), mean = static_cast<double>(found) * work::unit / paths;
    return std::abs(mean - work::expected_payoff()) < 100 / std::sqrt(paths);
  }

 private:
  static constexpr std::uint64_t in_task = 10'000;
  std::uint64_t paths_;
};

struct kernel {
  std::string_view name;
  long size, most;  // usual and largest; 0: it has one size
};

inline constexpr kernel kernels[] = {{"fib", 35, 45},
                                     {"fib-by-reference", 35, 45},
                                     {"queens", 13, 20},
                                     {"uts-t1", 0, 0},
                                     {"uts-t3", 0, 0},
                                     {"quicksort", 700'000, 1'000'000'000},
                                     {"mergesort", 700'000, 1'000'000'000},
                                     {"strassen", 1024, 16384},
                                     {"monte-carlo", 20'000'000, 20'000'000'000}};

// nullptr: there is none of that name.
inline const kernel* find_kernel(std::string_view name) {
  for (const auto& one : kernels) {
    if (one.name == name) return &one;
  }
  return nullptr;
}

// f(kernel).
template <class F>
int with_kernel(std::string_view name, std::int64_t size, std::int64_t cutoff, const F& f) {
  if (name == "fib") return f(fib(size));
  if (name == "fib-by-reference") return f(fib_by_reference(size));
  if (name == "queens") return f(queens(size));
  if (name == "quicksort") return f(quicksort(size, cutoff));
  if (name == "mergesort") return f(mergesort(size, cutoff));
  if (name == "strassen") return f(strassen(size));
  if (name == "monte-carlo") return f(monte_carlo(size));
  return f(tree_search(name == "uts-t1" ? uts::t1 : uts::t3));
}

}  // namespace task_kernels
