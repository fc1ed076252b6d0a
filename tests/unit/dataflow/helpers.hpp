// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>
#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <steelyard/dataflow.hpp>
#include <steelyard/loop.hpp>
#include <steelyard/pool.hpp>

#include "../loop/child.hpp"
#include "../loop/loops.hpp"

/// What the tests of dataflow share.
namespace dataflow_tests {

using loop_tests::becomes;
using loop_tests::counted;
using loop_tests::under_sanitizer;

using steelyard::block;
using steelyard::cw;
using steelyard::cwp;
using steelyard::fork_task;
using steelyard::pool;
using steelyard::r;
using steelyard::range;
using steelyard::recording;
using steelyard::renaming;
using steelyard::rp;
using steelyard::rw;
using steelyard::rwp;
using steelyard::shared;
using steelyard::sync_tasks;
using steelyard::w;
using steelyard::wp;

using number = std::uint64_t;

/// As splitmix64 does (Steele, Lea & Flood 2014).
inline number mix(number value) noexcept {
  value += 0x9e3779b97f4a7c15U;
  value = (value ^ value >> 30) * 0xbf58476d1ce4e5b9U;
  value = (value ^ value >> 27) * 0x94d049bb133111ebU;
  return value ^ value >> 31;
}
inline number mix(number a, number b) noexcept { return mix(mix(a) ^ b); }

class random_numbers {
 public:
  explicit random_numbers(number seed) noexcept : last_(seed) {}
  /// Of 0 … n-1.
  number below(number n) noexcept { return (last_ = mix(last_)) % n; }
  template <class T>
  T one_of(std::initializer_list<T> all) noexcept {
    return all.begin()[below(all.size())];
  }

 private:
  number last_;
};

/// Each returns when all have come; false: they have not.
class rendezvous {
 public:
  explicit rendezvous(int all) : all_(all) {}
  [[nodiscard]] bool come() {
    ++come_;
    return becomes([this] { return come_ >= all_; });
  }

 private:
  int all_;
  std::atomic<int> come_{0};
};

constexpr auto a_while = std::chrono::microseconds(200);

/// A task whose result is missed by whoever does not wait for it.
inline void set_late(steelyard::w<number> it) {
  loop_tests::compute(a_while);
  *it = 1;
}

/// Of a loop that is shared, however short it is.
inline steelyard::loop_options parallel() {
  steelyard::loop_options how;
  how.always_parallel = true;
  return how;
}

inline steelyard_task_counts counts_of(const steelyard::pool& pool) {
  steelyard_task_counts its{};
  steelyard_pool_task_counts(pool.handle(), &its);
  return its;
}

/// Calls f() on a thread whose stack is no larger than that.
template <class F>
void with_stack(std::size_t bytes, F f) {
  pthread_attr_t how;
  ASSERT_EQ(pthread_attr_init(&how), 0);
  ASSERT_EQ(pthread_attr_setstacksize(&how, under_sanitizer ? 8 * bytes : bytes), 0);
  pthread_t thread{};
  const auto call = [](void* at) -> void* {
    (*static_cast<F*>(at))();
    return nullptr;
  };
  ASSERT_EQ(pthread_create(&thread, &how, call, &f), 0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&how);
}

/// Bytes of memory that this process uses now.
inline std::size_t resident() {
  std::size_t all = 0, there = 0;
  std::ifstream("/proc/self/statm") >> all >> there;
  return there * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

}  // namespace dataflow_tests
