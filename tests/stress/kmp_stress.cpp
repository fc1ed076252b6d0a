// SPDX-License-Identifier: Apache-2.0
// libomp's names: regions, loops in flight together and nested teams through the drop-in's own entry points, for a
// counter of 32 bits and one of 64. The schedule comes from the environment. Counts are plain where the protocol alone
// must order them, so a sanitizer sees what it does not.
#include <cstdarg>
#include <cstdint>
#include <thread>
#include <type_traits>
#include <vector>

#include "kmp_calls.hpp"
#include "slots.hpp"

namespace {

using namespace steelyard::stress;

ident where{0, 2, 0, 0, ";kmp_stress.cpp;loop;1;1;;"};

template <class T>
struct dispatch;
template <>
struct dispatch<i32> {
  static constexpr auto init = __kmpc_dispatch_init_4;
  static constexpr auto next = __kmpc_dispatch_next_4;
};
template <>
struct dispatch<u64> {
  static constexpr auto init = __kmpc_dispatch_init_8u;
  static constexpr auto next = __kmpc_dispatch_next_8u;
};

/// libomp's numbers: dynamic, guided, runtime, auto, trapezoidal; nonmonotonic.
constexpr i32 kinds[] = {35, 36, 37, 38, 39};
constexpr i32 nonmonotonic = 1 << 30;

/// A loop of the counter type T over all slots, up or down; `each(i)` after an iteration is marked.
template <class T, class Each>
void run_loop(slots& seen, i32 stride, i32 kind, const Each& each) {
  using S = std::make_signed_t<T>;
  constexpr T base = 100'000;  // so that an unsigned loop can end below its start
  const i32 thread = omp_get_thread_num();
  const auto final = static_cast<T>(base + (static_cast<T>(seen.size()) - 1) * static_cast<T>(stride));
  dispatch<T>::init(&where, thread, kind | nonmonotonic, base, final, stride, 1);
  i32 last = 0;
  T lower = 0;
  T upper = 0;
  S step = 0;
  while (dispatch<T>::next(&where, thread, &last, &lower, &upper, &step) != 0) {
    expect(step == stride, "stride", stride, static_cast<long>(step));
    expect((last != 0) == (upper == final), "last", static_cast<long>(upper), last);
    for (T i = lower;; i += static_cast<T>(step)) {
      const auto slot = static_cast<std::size_t>(static_cast<S>(i - base) / stride);
      ++seen[slot];
      each(slot);
      if (i == upper) break;
    }
  }
  __kmpc_dispatch_deinit(&where, thread);
}

template <class T>
void run_loop(slots& seen, i32 stride = 1, i32 kind = kinds[0]) {
  run_loop<T>(seen, stride, kind, [](std::size_t) {});
}

/// What Clang outlines of a region, with the address of the data as its one argument.
template <auto Body, class Data>
void outlined(i32*, i32* bound, ...) {
  std::va_list list;
  va_start(list, bound);
  auto& data = *va_arg(list, Data*);
  va_end(list);
  Body(data);
}

template <auto Body, class Data>
void fork(unsigned threads, Data& data) {
  __kmpc_push_num_threads(&where, 0, static_cast<i32>(threads));
  __kmpc_fork_call(&where, 1, outlined<Body, Data>, &data);
}

/// Many loops in flight: nobody waits between them, and members are slow at different times.
template <class T>
void in_flight(unsigned threads) {
  auto all = slots_of_loops();
  fork<[](std::vector<slots>& of) {
    for (i32 k = 0; k < loops; ++k) {
      if ((k + omp_get_thread_num()) % 11 == 0) dawdle(20000);
      run_loop<T>(of[static_cast<std::size_t>(k)], k % 2 == 0 ? 1 + k % 3 : -1 - k % 5, kinds[k % 5]);
    }
  }>(threads, all);
  for (const auto& seen : all) expect_once(seen, "in flight", 1);
}

/// A barrier behind the loop: what one member wrote in loop k, another reads in loop k + 1.
template <class T>
void after_barrier(unsigned threads) {
  slots values(257);
  fork<[](slots& of) {
    for (int k = 0; k < 20; ++k) {
      run_loop<T>(of);
      __kmpc_barrier(&where, omp_get_thread_num());
    }
  }>(threads, values);
  expect_once(values, "after barrier", 20);
}

/// A team inside each iteration of a loop.
template <class T>
void nested(unsigned threads) {
  nest both;
  fork<[](nest& of) {
    run_loop<T>(of.outer, 1, kinds[0], [&](std::size_t i) {
      fork<[](slots& inside) {
        run_loop<T>(inside);
        __kmpc_barrier(&where, omp_get_thread_num());
      }>(2, of.inner[i]);
    });
  }>(threads, both);
  expect_once(both.outer, "nested, outer", 1);
  for (const auto& seen : both.inner) expect_once(seen, "nested, inner", 1);
}

/// Loops in flight whose chunks must stay whole.
template <class T>
void whole_chunks(unsigned threads) {
  std::vector<chunked> all(20);
  fork<[](std::vector<chunked>& loops_of_chunks) {
    const i32 thread = omp_get_thread_num();
    for (auto& of : loops_of_chunks) {
      constexpr T final = chunked::iterations - 1;
      dispatch<T>::init(&where, thread, kinds[0] | nonmonotonic, 0, final, 1, chunked::chunk);
      i32 last = 0;
      T lower = 0;
      T upper = 0;
      std::make_signed_t<T> step = 0;
      while (dispatch<T>::next(&where, thread, &last, &lower, &upper, &step) != 0) {
        for (T i = lower; i <= upper; ++i) of.ran(static_cast<long>(i));
      }
      __kmpc_dispatch_deinit(&where, thread);
    }
  }>(threads, all);
  for (const auto& each : all) each.expect_all();
}

/// A loop that takes long, again and again: what learns from it comes through all that it tries.
template <class T>
void again(unsigned threads) {
  slots seen(200);
  for (int round = 0; round < 20; ++round) {
    fork<[](slots& of) { run_loop<T>(of, -3, kinds[1], [](std::size_t i) { dawdle(static_cast<long>(i) * 100); }); }>(
        threads, seen);
  }
  expect_once(seen, "again", 20);
}

/// The same with inner regions that are not forked, in both ways that Clang has for `if`.
template <class T>
void serialized(unsigned threads) {
  nest both;
  fork<[](nest& of) {
    run_loop<T>(of.outer, -2, kinds[1], [&](std::size_t i) {
      const i32 thread = omp_get_thread_num();
      if (i % 2 == 0) {
        __kmpc_serialized_parallel(&where, thread);
        run_loop<T>(of.inner[i]);
        __kmpc_end_serialized_parallel(&where, thread);
      } else {
        constexpr auto body = [](slots& inside) { run_loop<T>(inside); };
        __kmpc_fork_call_if(&where, 1, outlined<body, slots>, i % 4 == 1 ? 1 : 0, &of.inner[i]);
      }
    });
  }>(threads, both);
  expect_once(both.outer, "serialized, outer", 1);
  for (const auto& seen : both.inner) expect_once(seen, "serialized, inner", 1);
}

struct others {
  slots before = slots(40), between = slots(40), behind = slots(40);
};

constexpr int values = 10;

/// A static loop, which only passes, between two of ours, in a region of more arguments than registers hold.
void other_entries_body(i32*, i32* bound, ...) {
  std::va_list list;
  va_start(list, bound);
  auto& of = *va_arg(list, others*);
  for (int k = 0; k < values; ++k) expect(*va_arg(list, int*) == k, "argument", k, 0);
  va_end(list);
  run_loop<i32>(of.before);
  i32 last = 0;
  i32 lower = 0;
  i32 upper = static_cast<i32>(of.between.size()) - 1;
  i32 stride = 1;
  __kmpc_for_static_init_4(&where, omp_get_thread_num(), 34, &last, &lower, &upper, &stride, 1, 1);
  for (i32 i = lower; i <= upper; ++i) ++of.between[static_cast<std::size_t>(i)];
  run_loop<i32>(of.behind);
}

void other_entries(unsigned threads) {
  others all;
  int v[values] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
  __kmpc_push_num_threads(&where, 0, static_cast<i32>(threads));
  __kmpc_fork_call(&where, 1 + values, other_entries_body, &all, v, v + 1, v + 2, v + 3, v + 4, v + 5, v + 6, v + 7,
                   v + 8, v + 9);
  for (const slots* seen : {&all.before, &all.between, &all.behind}) expect_once(*seen, "other entries", 1);
}

/// One of the calls in which members wait for each other.
void wait_somehow(int k) {
  const i32 thread = omp_get_thread_num();
  if (k % 5 == 0) __kmpc_barrier(&where, thread);
  if (k % 5 == 1) __kmpc_copyprivate(&where, thread, 0, nullptr, nullptr, thread == 0 ? 1 : 0);
  if (k % 5 == 2) expect(__kmpc_cancel_barrier(&where, thread) == 0, "cancelled", k, 1);
  if (k % 5 == 3) __kmpc_reduce_nowait(&where, thread, 0, 0, nullptr, nullptr, nullptr);
  if (k % 5 == 4 && __kmpc_reduce(&where, thread, 0, 0, nullptr, nullptr, nullptr) != 0) {
    __kmpc_end_reduce(&where, thread, nullptr);
  }
}

/// Members that wait for each other in every way there is, slow in turn; each writes what the next then reads.
void waiting(unsigned threads) {
  slots marks(threads);
  fork<[](slots& of) {
    const auto members = static_cast<int>(of.size());
    for (int k = 0; k < 50; ++k) {
      if ((k + omp_get_thread_num()) % 7 == 0) dawdle(2000);
      ++of[static_cast<std::size_t>((k + omp_get_thread_num()) % members)];
      wait_somehow(k);
    }
  }>(threads, marks);
  expect_once(marks, "waiting", 50);
}

/// A loop outside of any region, and regions forked by several threads at once.
template <class T>
void everywhere() {
  slots alone(77);
  run_loop<T>(alone);
  expect_once(alone, "orphaned", 1);
  std::vector<std::thread> hosts;
  for (int host = 0; host < 3; ++host) {
    hosts.emplace_back([] {
      in_flight<T>(2);
      waiting(3);
    });
  }
  for (auto& host : hosts) host.join();
}

template <class T>
void all_of(unsigned threads) {
  in_flight<T>(threads);
  after_barrier<T>(threads);
  whole_chunks<T>(threads);
  nested<T>(threads);
  serialized<T>(threads);
}

}  // namespace

int main() {
  for (int round = 0; round < 3; ++round) {
    for (unsigned threads : {1U, 2U, 3U, 8U}) {
      all_of<i32>(threads);
      all_of<u64>(threads);
      other_entries(threads);
      waiting(threads);
    }
    everywhere<i32>();
    everywhere<u64>();
  }
  for (unsigned threads : {2U, 3U}) {
    again<i32>(threads);
    again<u64>(threads);
  }
  return result();
}
