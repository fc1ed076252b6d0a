// SPDX-License-Identifier: Apache-2.0
// The task kernels, over a policy: what `Tasks` has to offer.
//   Tasks::fib(n)       the n-th number of Fibonacci, a task for each addition, as one would write it there
//   Tasks::sum(n, f)    f(0) + … + f(n-1), each a task, of std::int64_t
#pragma once

#include <cstdint>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include "uts.hpp"

namespace task_kernels {

// Of parts that tasks have left.
inline std::int64_t total(const std::vector<std::int64_t>& parts) {
  return std::accumulate(parts.begin(), parts.end(), std::int64_t{0});
}

struct board {
  std::int8_t column[20];  // of the queen in each row
};

inline bool is_safe(const board& so_far, int row, int column) {
  for (int above = 0; above < row; ++above) {
    const int apart = so_far.column[above] - column;
    if (apart == 0 || apart == row - above || apart == above - row) return false;
  }
  return true;
}

// The ways to put n queens on a board, a task for each safe place, which gets a copy of the board.
template <class Tasks>
std::int64_t queens(const board& so_far, int row, int n) {
  if (row == n) return 1;
  std::int8_t safe[20];
  int places = 0;
  for (int column = 0; column < n; ++column) {
    if (is_safe(so_far, row, column)) safe[places++] = static_cast<std::int8_t>(column);
  }
  if (places == 0) return 0;
  return Tasks::sum(places, [&](int i) {
    board next = so_far;
    next.column[row] = safe[i];
    return queens<Tasks>(next, row + 1, n);
  });
}

// The nodes of an unbalanced tree, a task for each.
template <class Tasks>
std::int64_t count(const uts::tree& of, const uts::node& at) {
  const int children = of.children(at);
  if (children == 0) return 1;
  return 1 + Tasks::sum(children, [&](int i) { return count<Tasks>(of, at.child(static_cast<std::uint32_t>(i))); });
}

struct kernel {
  std::string_view name;
  int size;  // as usual; of the queens' board, or n of fib; trees have one size
  const uts::tree* tree;
};

inline constexpr kernel kernels[] = {
    {"fib", 35, nullptr}, {"queens", 13, nullptr}, {"uts-t1", 0, &uts::t1}, {"uts-t3", 0, &uts::t3}};

// nullptr: there is none of that name.
inline const kernel* find_kernel(std::string_view name) {
  for (const auto& one : kernels) {
    if (one.name == name) return &one;
  }
  return nullptr;
}

template <class Tasks>
std::int64_t run(const kernel& of, int size) {
  if (of.tree != nullptr) return count<Tasks>(*of.tree, of.tree->root());
  if (of.name == "fib") return Tasks::fib(size);
  return queens<Tasks>(board{}, 0, size);
}

}  // namespace task_kernels
