// SPDX-License-Identifier: Apache-2.0
// How soon a second thread has tasks of one that forks 64 of 10 ms each and then computes 500 ms without a call, and how many of
// them it has run by then.
//   reach RUNTIME awake|idle ROUNDS
// awake: right after tasks of both threads; idle: 10 ms after them. Prints for each round: microseconds from the first fork to when
// another thread begins a task, and how many such tasks ended before the computing did.
// Built twice: with OpenMP (RUNTIME: openmp), and with -DSTEELYARD on libsteelyard (group, dataflow).
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

#ifdef STEELYARD
#include <steelyard/dataflow.hpp>
#include <steelyard/task.hpp>
#endif

namespace {

using clock_type = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr int children = 64;
constexpr auto of_child = milliseconds(10);
constexpr auto of_parent = milliseconds(500);

void compute(clock_type::duration time) {
  for (const auto end = clock_type::now() + time; clock_type::now() < end;) {
  }
}

struct seen {
  std::thread::id parent;
  std::atomic<clock_type::rep> first{0};
  std::atomic<int> ended{0};
  int of_others = 0;  ///< when the parent has ended

  void run_child() {
    const bool is_elsewhere = std::this_thread::get_id() != parent;
    clock_type::rep none = 0;
    if (is_elsewhere && first == 0) first.compare_exchange_strong(none, clock_type::now().time_since_epoch().count());
    compute(of_child);
    if (is_elsewhere) ++ended;
  }

  void run_parent() {
    compute(of_parent);
    of_others = ended;
  }
};

/// On two threads.
void pair_meets(std::atomic<int>& come) {
  ++come;
  while (come < 2) {
  }
  ++come;
}

#ifndef STEELYARD
bool is_known(const char* runtime) { return std::strcmp(runtime, "openmp") == 0; }

/// Calls parent(fork) and returns when all that it has forked has ended.
template <class Parent>
void with_tasks(const char*, Parent parent) {
#pragma omp parallel
#pragma omp single
  parent([](auto child) {
#pragma omp task firstprivate(child)
    child();
  });
}
#else
bool is_known(const char* runtime) {
  return std::strcmp(runtime, "group") == 0 || std::strcmp(runtime, "dataflow") == 0;
}

template <class Parent>
void with_tasks(const char* runtime, Parent parent) {
  if (std::strcmp(runtime, "group") == 0) {
    steelyard::scope([&](auto& group) { parent([&group](auto child) { group.spawn(child); }); });
  } else {
    parent([](auto child) { steelyard::fork_task(child); });
    steelyard::sync_tasks();
  }
}
#endif

void round(const char* runtime, bool idle) {
  with_tasks(runtime, [](auto fork) {
    std::atomic<int> come{0};
    fork([&come] { pair_meets(come); });
    pair_meets(come);
    while (come < 4) {  // it has left
    }
  });
  if (idle) std::this_thread::sleep_for(milliseconds(10));
  seen all;
  double us = -1;
  with_tasks(runtime, [&](auto fork) {
    all.parent = std::this_thread::get_id();
    const auto began = clock_type::now().time_since_epoch().count();
    for (int i = 0; i < children; ++i) fork([&all] { all.run_child(); });
    all.run_parent();
    if (all.first != 0) us = 1e-3 * static_cast<double>(all.first - began);
  });
  std::printf("%.3f %d\n", us, all.of_others);
}

}  // namespace

int main(int argc, char** argv) {
  const bool idle = argc == 4 && std::strcmp(argv[2], "idle") == 0;
  const int rounds = argc == 4 ? std::atoi(argv[3]) : 0;
  if (rounds <= 0 || !is_known(argv[1]) || (!idle && std::strcmp(argv[2], "awake") != 0)) {
    std::fputs("usage: reach RUNTIME awake|idle ROUNDS\n", stderr);
    return 2;
  }
  for (int i = 0; i < rounds; ++i) round(argv[1], idle);
  return 0;
}
