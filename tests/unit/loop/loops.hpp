// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <steelyard/steelyard.h>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <steelyard/loop.hpp>
#include <string>
#include <thread>
#include <vector>

/// What the tests of loops share.
namespace loop_tests {

inline std::vector<const char*> all_schedules() {
  std::vector<const char*> names;
  for (std::size_t i = 0; i < steelyard_schedule_count(); ++i) names.push_back(steelyard_schedule_name(i));
  return names;
}

/// How often each of 0 … n-1 was run.
class counts {
 public:
  explicit counts(std::size_t n) : runs_(n) {}
  void ran(std::size_t i) noexcept {
    if (i < runs_.size()) {
      runs_[i].fetch_add(1, std::memory_order_relaxed);
    } else {
      outside_.fetch_add(1, std::memory_order_relaxed);
    }
  }
  /// How many did not run once, and how many were none of them.
  [[nodiscard]] std::size_t wrong() const noexcept {
    std::size_t bad = outside_.load();
    for (const auto& each : runs_) bad += each.load() == 1 ? 0 : 1;
    return bad;
  }
  [[nodiscard]] std::size_t total() const noexcept {
    std::size_t all = outside_.load();
    for (const auto& each : runs_) all += each.load();
    return all;
  }
  /// No iteration ran twice.
  [[nodiscard]] bool at_most_once() const noexcept {
    for (const auto& each : runs_) {
      if (each.load() > 1) return false;
    }
    return outside_.load() == 0;
  }

 private:
  std::vector<std::atomic<unsigned>> runs_;
  std::atomic<std::size_t> outside_{0};
};

/// Whose instances can be counted.
class counted {
 public:
  counted() { ++alive; }
  counted(const counted&) { ++alive; }
  counted(counted&&) noexcept { ++alive; }
  counted& operator=(const counted&) = default;
  ~counted() { --alive; }
  static inline std::atomic<int> alive{0};
  std::uint64_t value = 0;
};

/// Waits until something is so; false: it was not within 30 s.
template <class Condition>
bool becomes(Condition&& so) {
  for (const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30); !so();) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::yield();
  }
  return true;
}

/// Computes for that long without a call that the library could notice.
inline void compute(std::chrono::nanoseconds how_long) {
  const auto end = std::chrono::steady_clock::now() + how_long;
  while (std::chrono::steady_clock::now() < end) {
  }
}

}  // namespace loop_tests
