// SPDX-License-Identifier: Apache-2.0
// Static loops whose blocks the drop-in deals, through its own entry points. Programs may rely on one partition for all static
// loops of a region with the same number of iterations, so a member reads without any synchronisation what it has written in the
// loop before: another partition is a race for a sanitizer, and a wrong number without. The schedule comes from the environment.
#include <cstdarg>
#include <cstdint>
#include <thread>
#include <type_traits>
#include <vector>

#include "kmp_calls.hpp"
#include "slots.hpp"

namespace {

using namespace steelyard::stress;

constexpr i32 of_a_loop = 0x200;
ident where{0, of_a_loop | 2, 0, 0, ";static_stress.cpp;loop;1;1;;"};
ident where_kept{0, of_a_loop | 2, 0, 0, ";static_stress.cpp;kept;2;1;;"};

template <class T>
struct init;
template <>
struct init<i32> {
  static constexpr auto call = __kmpc_for_static_init_4;
};
template <>
struct init<u64> {
  static constexpr auto call = __kmpc_for_static_init_8u;
};

/// A static loop over n iterations from 5, by `step`; `each(i)` of 0 … n-1. Returns whether this member was told that its block ends
/// the loop.
template <class T, class Each>
bool run_static(i32 thread, long n, i32 step, const Each& each, ident& at = where) {
  constexpr T base = 5;
  constexpr i32 unchunked = 34;
  i32 last = 0;
  T lower = base;
  const T end = base + static_cast<T>(n - 1) * static_cast<T>(step);
  T upper = end;
  std::make_signed_t<T> stride = 1;
  init<T>::call(&at, thread, unchunked, &last, &lower, &upper, &stride, step, 1);
  if (upper > end) upper = end;  // as compilers do
  for (T i = lower; i <= upper; i += static_cast<T>(step)) each(static_cast<long>((i - base) / static_cast<T>(step)));
  __kmpc_for_static_fini(&at, thread);
  return last != 0;
}

template <auto Body, class Data>
void outlined(i32* thread, i32* bound, ...) {
  std::va_list list;
  va_start(list, bound);
  auto& data = *va_arg(list, Data*);
  va_end(list);
  Body(*thread, data);
}

/// Regions of one fork for each Body: what is learnt in one is dealt in the next.
template <auto Body, class Data>
void fork(unsigned threads, Data& data) {
  __kmpc_push_num_threads(&where, 0, static_cast<i32>(threads));
  __kmpc_fork_call(&where, 1, outlined<Body, Data>, &data);
}

constexpr long n = 600;

struct chain {
  slots first = slots(n);
  slots second = slots(n);
  long lasts = 0;
  long rounds = 0;
};

/// Loops without a barrier between them, of which the second half of the iterations takes long.
template <class T>
void chains(unsigned threads) {
  chain of;
  for (long round = 0; round < 12; ++round) {
    of.rounds = round;
    of.lasts = 0;
    fork<[](i32 thread, chain& all) {
      run_static<T>(thread, n, 1, [&](long i) {
        ++all.first[static_cast<std::size_t>(i)];
        if (i > n / 2) dawdle(200);
      });
      run_static<T>(thread, n, 3,
                    [&](long i) { all.second[static_cast<std::size_t>(i)] += all.first[static_cast<std::size_t>(i)]; });
      if (run_static<T>(thread, n, 1, [&](long i) { --all.second[static_cast<std::size_t>(i)]; })) ++all.lasts;
    }>(threads, of);
    expect(of.lasts == 1, "last block", round, of.lasts);
  }
  expect_once(of.first, "chain, first", 12);
  expect_once(of.second, "chain, second", 12 * 13 / 2 - 12);
}

/// A region that runs once and keeps its steps inside. Between two barriers every member relies on one partition; which it is may
/// change there.
template <class T>
void steps(unsigned threads) {
  constexpr long count = 60;
  chain of;
  fork<[](i32 thread, chain& all) {
    for (long step = 0; step < count; ++step) {
      run_static<T>(thread, n, 1, [&](long i) {
        ++all.first[static_cast<std::size_t>(i)];
        if ((step / 20 % 2 == 0) == (i > n / 2)) dawdle(300);
      });
      run_static<T>(thread, n, 1,
                    [&](long i) { all.second[static_cast<std::size_t>(i)] += all.first[static_cast<std::size_t>(i)]; });
      run_static<T>(thread, n / 2, 1, [&](long i) { dawdle(i); });
      __kmpc_barrier(&where, thread);
    }
  }>(threads, of);
  expect_once(of.first, "steps, first", count);
  expect_once(of.second, "steps, second", count * (count + 1) / 2);
}

/// Loops of several lengths in turn, also shorter than the team.
template <class T>
void lengths(unsigned threads) {
  slots seen(n);
  for (int round = 0; round < 8; ++round) {
    fork<[](i32 thread, slots& all) {
      for (const long length : {n, 1L, 7L, n / 2, n}) {
        run_static<T>(thread, length, 1, [&](long i) {
          ++all[static_cast<std::size_t>(i)];
          dawdle(i);
        });
        __kmpc_barrier(&where, thread);
      }
    }>(threads, seen);
  }
  for (long i = 0; i < n; ++i) {
    const long times = 2 + (i < n / 2 ? 1 : 0) + (i < 7 ? 1 : 0) + (i < 1 ? 1 : 0);
    expect(seen[static_cast<std::size_t>(i)] == 8 * times, "lengths", i, seen[static_cast<std::size_t>(i)]);
  }
}

/// A loop that is over before the last member comes, again and again: what chooses among ways comes through all of them.
void tiny(unsigned threads) {
  constexpr long rounds = 5000;
  constexpr long iterations = 16;
  slots seen(iterations);
  for (long round = 0; round < rounds; ++round) {
    fork<[](i32 thread, slots& all) {
      run_static<i32>(thread, iterations, 1, [&](long i) { ++all[static_cast<std::size_t>(i)]; });
    }>(threads, seen);
  }
  expect_once(seen, "tiny", rounds);
}

/// A region that has asked for its thread number, and one with a reduction, keep equal blocks: as many members have the same
/// iterations in every instance.
template <bool Asks>
void kept(unsigned threads) {
  struct blocks {
    slots first = slots(n);
    slots now = slots(n);
  } of;
  for (int round = 0; round < 8; ++round) {
    fork<[](i32 thread, blocks& all) {
      const i32 asked = Asks ? omp_get_thread_num() : thread;
      const auto note = [&](long i) {
        all.now[static_cast<std::size_t>(i)] = asked;
        dawdle(i * 5);
      };
      run_static<i32>(thread, n, 1, note, where_kept);
      if (!Asks) __kmpc_reduce_nowait(&where, thread, 0, 0, nullptr, nullptr, nullptr);
    }>(threads, of);
    if (round == 0) of.first = of.now;
    expect(of.now == of.first, Asks ? "blocks of a region that asks" : "blocks of a reduction", round, threads);
  }
}

/// The same forks by several threads at once, whose teams learn and read what is known side by side.
template <class T>
void side_by_side() {
  std::vector<std::thread> hosts;
  for (unsigned host = 0; host < 3; ++host) {
    hosts.emplace_back([host] {
      chains<T>(2 + host);
      lengths<T>(3);
      steps<T>(2);
    });
  }
  for (auto& host : hosts) host.join();
}

struct nested_loops {
  slots outer = slots(12);
  std::vector<slots> inner = std::vector<slots>(12, slots(40));
};

/// A team inside each iteration of a static loop.
void nested(unsigned threads) {
  for (int round = 0; round < 4; ++round) {
    nested_loops both;
    fork<[](i32 thread, nested_loops& of) {
      run_static<i32>(thread, 12, 1, [&](long i) {
        ++of.outer[static_cast<std::size_t>(i)];
        fork<[](i32 inner, slots& seen) {
          run_static<i32>(inner, 40, 1, [&](long k) {
            ++seen[static_cast<std::size_t>(k)];
            dawdle(k * 50);
          });
        }>(2, of.inner[static_cast<std::size_t>(i)]);
      });
    }>(threads, both);
    expect_once(both.outer, "nested, outer", 1);
    for (const auto& seen : both.inner) expect_once(seen, "nested, inner", 1);
  }
}

}  // namespace

int main() {
  for (unsigned threads : {8U, 3U, 2U, 1U}) {
    chains<i32>(threads);
    chains<u64>(threads);
    lengths<i32>(threads);
    lengths<u64>(threads);
    steps<i32>(threads);
    steps<u64>(threads);
    kept<true>(threads);
    kept<false>(threads);
    nested(threads);
  }
  tiny(2);
  tiny(4);
  side_by_side<i32>();
  side_by_side<u64>();
  return result();
}
