// SPDX-License-Identifier: Apache-2.0
// What a task costs.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>
#include <vector>

#include "accesses.hpp"
#include "program.hpp"

namespace dataflow_kernels {

struct counter {
  std::uint64_t value = 0;  // its tasks exclude each other
};

// Tasks that change one object, forked and waited for. `flight`: also how much memory they take while none has begun, which is
// when one thread forks them.
template <class Flow>
class chain {
 public:
  static constexpr double most_error = 0;

  explicit chain(const request& wanted)
      : tasks_(static_cast<std::uint64_t>(wanted.size)), weighs_(wanted.kernel == "flight") {}
  void prepare() { all_->value = 0; }
  double run(Flow& flow) {
    return seconds_of([&] {
      flow.run([&] {
        const auto before = weighs_ ? resident_bytes() : 0;
        for (std::uint64_t i = 0; i < tasks_; ++i) flow.fork([](counter& all) { ++all.value; }, change(all_));
        if (!weighs_) return;
        bytes_ = resident_bytes() - before;
        begun_ = all_->value;
      });
    });
  }
  [[nodiscard]] std::uint64_t tasks() const { return tasks_; }
  [[nodiscard]] std::uint64_t result() const { return all_->value; }
  [[nodiscard]] double error() const { return all_->value == tasks_ ? 0 : 1; }
  void report() const {
    if (!weighs_) return;
    print_counter("bytes", bytes_);
    print_counter("begun", begun_);
  }

 private:
  std::uint64_t tasks_;
  bool weighs_;
  typename Flow::template shared<counter> all_{};
  std::uint64_t bytes_ = 0;
  std::uint64_t begun_ = 0;
};

// Tasks that change one of 1024 objects each and that other threads run, because the one that forks them does not return to the
// runtime before the last has ended, or nobody has run any for half a second. Time: from the first that begins to the last that
// ends.
template <class Flow>
class stolen {
 public:
  static constexpr double most_error = 0;

  explicit stolen(const request& wanted) : tasks_(static_cast<std::uint64_t>(wanted.size)), objects_(1024) {
    all.work = wanted.work;
  }
  void prepare() {
    for (auto& each : objects_) each->value = 0;
    all.left = tasks_;
    all.begun = false;
    all.given_up = false;
  }
  double run(Flow& flow) {
    flow.run([&] {
      all.forker = std::this_thread::get_id();
      for (std::uint64_t i = 0; i < tasks_; ++i) {
        if constexpr (Flow::most_in_flight != 0) wait_for(tasks_ - i + Flow::most_in_flight);
        flow.fork([](counter& mine) { count(mine); }, change(objects_[i % objects_.size()]));
      }
      wait_for(0);
    });
    return std::chrono::duration<double>(all.last - all.first).count();
  }
  [[nodiscard]] std::uint64_t tasks() const { return tasks_; }
  [[nodiscard]] std::uint64_t result() const {
    std::uint64_t sum = 0;
    for (const auto& each : objects_) sum += each->value;
    return sum;
  }
  [[nodiscard]] double error() const { return result() == tasks_ ? 0 : 1; }
  void report() const { print_counter("by the forker", all.own); }

 private:
  using clock = std::chrono::steady_clock;

  static void count(counter& mine) {
    if (!all.begun && !all.begun.exchange(true)) all.first = clock::now();
    std::uint64_t value = ++mine.value;
    for (long i = 0; i < all.work; ++i) asm volatile("" : "+r"(value));
    if (std::this_thread::get_id() == all.forker) ++all.own;
    if (all.left.fetch_sub(1) == 1) all.last = clock::now();
  }
  // Until so few have not ended. Looks now and then, because others write there.
  static void wait_for(std::uint64_t most) {
    auto changed = clock::now(), looked = changed;
    for (std::uint64_t left = all.left, before = left; left > most && !all.given_up; left = all.left) {
      while (clock::now() - looked < std::chrono::microseconds(1)) {
      }
      looked = clock::now();
      if (left != before) changed = looked;
      before = left;
      all.given_up = looked - changed > std::chrono::milliseconds(500);
    }
  }

  // Tasks find it here, so that none of them has to bring an address along.
  struct progress {
    alignas(64) std::atomic<std::uint64_t> left;
    clock::time_point first, last;
    std::uint64_t own;
    std::atomic<bool> begun;
    alignas(64) std::thread::id forker;
    long work;
    bool given_up;
  };
  static inline progress all{};

  std::uint64_t tasks_;
  std::vector<typename Flow::template shared<counter>> objects_;
};

}  // namespace dataflow_kernels
