// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <thread>

/// What the tests of tasks share.
namespace task_tests {

/// Waits, without a call that the library could notice, until something is so; false: it was not within 30 s.
template <class Condition>
bool becomes(Condition&& so) {
  for (const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30); !so();) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::yield();
  }
  return true;
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
