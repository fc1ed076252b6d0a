// SPDX-License-Identifier: Apache-2.0
// An OpenMP runtime of both ABIs that is just large enough to host the drop-in: regions, numbers, barriers. Its
// dynamic loops refuse to run, so a loop that was passed on by mistake is noticed.
#include <barrier>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <thread>
#include <vector>

#include "openmp/kmp/names.hpp"

namespace {

struct team {
  explicit team(unsigned size) : members(size), barrier(size) {}
  unsigned members;
  std::barrier<> barrier;
  int copied = 0;
};

struct place {
  team* in = nullptr;
  int number = 0;
  int level = 0;
};
thread_local place here;
thread_local std::vector<place> outside;  // of serialized regions

/// Calls `body(number)` on each member of a new team.
template <class Body>
void run_team(unsigned threads, const Body& body) {
  team members(threads);
  const place before = here;
  const auto run = [&](unsigned number) {
    here = {&members, static_cast<int>(number), before.level + 1};
    body(number);
  };
  std::vector<std::thread> others;
  for (unsigned number = 1; number < threads; ++number) others.emplace_back(run, number);
  run(0);
  for (auto& other : others) other.join();
  here = before;
}

void wait_for_team() {
  if (here.in != nullptr) here.in->barrier.arrive_and_wait();
}

[[noreturn]] void refuse() {
  std::fputs("a loop reached the host runtime\n", stderr);
  std::abort();
}

using outlined = void (*)(void*);

// The drop-in calls a runtime's function by the type that the ABI gives it, and a sanitizer compares.
using steelyard::openmp::kmp::ident;
using microtask = void (*)(std::int32_t* thread, std::int32_t* bound, ...);

thread_local unsigned asked_threads = 1;

/// Blocks of ceil(N / P) iterations, upwards.
template <class T, class S>
void static_block(std::int32_t* last, T* lower, T* upper, S* stride, S step) {
  const auto by = static_cast<T>(step);
  const auto members = static_cast<T>(here.in != nullptr ? here.in->members : 1);
  const auto number = static_cast<T>(here.number);
  const T trips = (*upper - *lower) / by + 1;
  const T share = (trips + members - 1) / members;
  const T end = *upper;
  *stride = static_cast<S>(trips * by);
  *lower += number * share * by;
  *upper = *lower + (share - 1) * by;
  if (last != nullptr) *last = number == members - 1 ? 1 : 0;
  if (*upper > end) *upper = end;
}

}  // namespace

extern "C" {

int omp_get_thread_num() { return here.number; }
int omp_get_num_threads() { return here.in != nullptr ? static_cast<int>(here.in->members) : 1; }
int omp_get_level() { return here.level; }

// libgomp's names.

void GOMP_parallel(outlined body, void* data, unsigned threads, unsigned) {
  run_team(threads, [&](unsigned) { body(data); });
}

void GOMP_barrier() { wait_for_team(); }

bool GOMP_barrier_cancel() {
  wait_for_team();
  return false;
}

void GOMP_sections_end() { wait_for_team(); }

// Member 0 executes every single.
void* GOMP_single_copy_start() {
  if (here.in == nullptr || here.number == 0) return nullptr;
  wait_for_team();
  return &here.in->copied;
}

void GOMP_single_copy_end(void*) { wait_for_team(); }

bool GOMP_loop_nonmonotonic_dynamic_start(long, long, long, long, long*, long*) { refuse(); }
bool GOMP_loop_nonmonotonic_guided_start(long, long, long, long, long*, long*) { refuse(); }
bool GOMP_loop_maybe_nonmonotonic_runtime_start(long, long, long, long*, long*) { refuse(); }
bool GOMP_loop_end_cancel() { refuse(); }

// libomp's names.

void __kmpc_push_num_threads(ident*, std::int32_t, std::int32_t threads) {
  asked_threads = static_cast<unsigned>(threads);
}

/// The drop-in forks with one argument, its own.
void __kmpc_fork_call(ident*, std::int32_t count, microtask body, ...) {
  if (count != 1) refuse();
  std::va_list list;
  va_start(list, body);
  void* const argument = va_arg(list, void*);
  va_end(list);
  run_team(asked_threads, [&](unsigned number) {
    auto thread = static_cast<std::int32_t>(number);
    std::int32_t bound = thread;
    body(&thread, &bound, argument);
  });
}

void __kmpc_fork_call_if(ident*, std::int32_t, microtask body, std::int32_t condition, void* argument) {
  run_team(condition != 0 ? asked_threads : 1, [&](unsigned number) {
    auto thread = static_cast<std::int32_t>(number);
    std::int32_t bound = thread;
    body(&thread, &bound, argument);
  });
}

void __kmpc_serialized_parallel(ident*, std::int32_t) {
  outside.push_back(here);
  here = {nullptr, 0, here.level + 1};
}

void __kmpc_end_serialized_parallel(ident*, std::int32_t) {
  here = outside.back();
  outside.pop_back();
}

void __kmpc_barrier(ident*, std::int32_t) { wait_for_team(); }

std::int32_t __kmpc_cancel_barrier(ident*, std::int32_t) {
  wait_for_team();
  return 0;
}

void __kmpc_copyprivate(ident*, std::int32_t, std::size_t, void*, void (*)(void*, void*), std::int32_t) {
  wait_for_team();
  wait_for_team();
}

/// As libomp's reduction by a tree: member 0 combines, the others are through.
std::int32_t __kmpc_reduce(ident*, std::int32_t, std::int32_t, std::size_t, void*, void (*)(void*, void*), void*) {
  wait_for_team();
  return here.number == 0 ? 1 : 0;
}

void __kmpc_end_reduce(ident*, std::int32_t, void*) {}

std::int32_t __kmpc_reduce_nowait(ident*, std::int32_t, std::int32_t, std::size_t, void*, void (*)(void*, void*),
                                  void*) {
  wait_for_team();
  return here.number == 0 ? 1 : 0;
}

void __kmpc_for_static_init_4(ident*, std::int32_t, std::int32_t, std::int32_t* last, std::int32_t* lower,
                              std::int32_t* upper, std::int32_t* stride, std::int32_t step, std::int32_t) {
  static_block(last, lower, upper, stride, step);
}
void __kmpc_for_static_init_8u(ident*, std::int32_t, std::int32_t, std::int32_t* last, std::uint64_t* lower,
                               std::uint64_t* upper, std::int64_t* stride, std::int64_t step, std::int64_t) {
  static_block(last, lower, upper, stride, step);
}
void __kmpc_for_static_fini(ident*, std::int32_t) {}

void __kmpc_dispatch_init_4(ident*, std::int32_t, std::int32_t, std::int32_t, std::int32_t, std::int32_t,
                            std::int32_t) {
  refuse();
}
void __kmpc_dispatch_init_8u(ident*, std::int32_t, std::int32_t, std::uint64_t, std::uint64_t, std::int64_t,
                             std::int64_t) {
  refuse();
}
int __kmpc_dispatch_next_4(ident*, std::int32_t, std::int32_t*, std::int32_t*, std::int32_t*, std::int32_t*) {
  refuse();
}
int __kmpc_dispatch_next_8u(ident*, std::int32_t, std::int32_t*, std::uint64_t*, std::uint64_t*, std::int64_t*) {
  refuse();
}
void __kmpc_dispatch_deinit(ident*, std::int32_t) { refuse(); }

}  // extern "C"
