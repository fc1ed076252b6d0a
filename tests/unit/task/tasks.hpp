// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <steelyard/task.hpp>

#include "../loop/loops.hpp"

/// What the tests of tasks share.
namespace task_tests {

using loop_tests::becomes;

inline int fib(int n) {
  if (n < 2) return n;
  const auto [a, b] = steelyard::join([n] { return fib(n - 1); }, [n] { return fib(n - 2); });
  return a + b;
}

/// Lets one function return only when another has begun, on another thread therefore.
class meeting {
 public:
  void come() { come_ = true; }
  [[nodiscard]] bool wait() {
    return becomes([this] { return come_.load(); });
  }

 private:
  std::atomic<bool> come_{false};
};

}  // namespace task_tests
