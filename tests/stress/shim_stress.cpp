// SPDX-License-Identifier: Apache-2.0
// libgomp's names: regions, loops in flight together and nested teams through the drop-in's own entry points. The
// schedule comes from the environment. Counts are plain where the protocol alone must order them, so a sanitizer sees
// what it does not.
#include <cstddef>
#include <thread>
#include <vector>

#include "slots.hpp"

using ull = unsigned long long;

extern "C" {
void GOMP_parallel(void (*body)(void*), void* data, unsigned threads, unsigned flags);
void GOMP_parallel_loop_nonmonotonic_dynamic(void (*body)(void*), void* data, unsigned threads, long first, long end,
                                             long step, long chunk, unsigned flags);
bool GOMP_loop_nonmonotonic_dynamic_start(long first, long end, long step, long chunk, long* from, long* to);
bool GOMP_loop_nonmonotonic_dynamic_next(long* from, long* to);
bool GOMP_loop_nonmonotonic_guided_start(long first, long end, long step, long chunk, long* from, long* to);
bool GOMP_loop_nonmonotonic_guided_next(long* from, long* to);
bool GOMP_loop_maybe_nonmonotonic_runtime_start(long first, long end, long step, long* from, long* to);
bool GOMP_loop_maybe_nonmonotonic_runtime_next(long* from, long* to);
bool GOMP_loop_ull_nonmonotonic_dynamic_start(bool up, ull first, ull end, ull step, ull chunk, ull* from, ull* to);
bool GOMP_loop_ull_nonmonotonic_dynamic_next(ull* from, ull* to);
bool GOMP_loop_ull_nonmonotonic_guided_start(bool up, ull first, ull end, ull step, ull chunk, ull* from, ull* to);
bool GOMP_loop_ull_nonmonotonic_guided_next(ull* from, ull* to);
bool GOMP_loop_ull_maybe_nonmonotonic_runtime_start(bool up, ull first, ull end, ull step, ull* from, ull* to);
bool GOMP_loop_ull_maybe_nonmonotonic_runtime_next(ull* from, ull* to);
void GOMP_loop_end();
bool GOMP_loop_end_cancel();
void GOMP_loop_end_nowait();
void GOMP_barrier();
bool GOMP_barrier_cancel();
void GOMP_sections_end();
void* GOMP_single_copy_start();
void GOMP_single_copy_end(void* data);
int omp_get_thread_num();
}

namespace {

using namespace steelyard::stress;

void run_loop(slots& seen, long stride) {
  long from = 0;
  long to = 0;
  const long end = static_cast<long>(seen.size()) * stride;
  if (GOMP_loop_nonmonotonic_dynamic_start(0, end, stride, 1, &from, &to)) {
    do {
      for (long i = from; i < to; i += stride) ++seen[static_cast<std::size_t>(i / stride)];
    } while (GOMP_loop_nonmonotonic_dynamic_next(&from, &to));
  }
}

/// Many loops in flight: nobody waits between them, and members are slow at different times.
void in_flight(unsigned threads) {
  auto all = slots_of_loops();
  GOMP_parallel(
      [](void* data) {
        auto& of = *static_cast<std::vector<slots>*>(data);
        for (long k = 0; k < loops; ++k) {
          if ((k + omp_get_thread_num()) % 11 == 0) dawdle(20000);
          run_loop(of[static_cast<std::size_t>(k)], 1 + k % 3);
          GOMP_loop_end_nowait();
        }
      },
      &all, threads, 0);
  for (const auto& seen : all) expect_once(seen, "in flight", 1);
}

/// The end of a loop with its barrier: what one member wrote in loop k, another reads in loop k + 1.
void after_barrier(unsigned threads) {
  slots values(257);
  GOMP_parallel(
      [](void* data) {
        auto& of = *static_cast<slots*>(data);
        for (int k = 0; k < 20; ++k) {
          run_loop(of, 1);
          GOMP_loop_end();
        }
      },
      &values, threads, 0);
  expect_once(values, "after barrier", 20);
}

/// Loops in flight whose chunks must stay whole.
void whole_chunks(unsigned threads) {
  std::vector<chunked> all(20);
  GOMP_parallel(
      [](void* data) {
        for (auto& of : *static_cast<std::vector<chunked>*>(data)) {
          long from = 0;
          long to = 0;
          if (GOMP_loop_nonmonotonic_dynamic_start(0, chunked::iterations, 1, chunked::chunk, &from, &to)) {
            do {
              for (long i = from; i < to; ++i) of.ran(i);
            } while (GOMP_loop_nonmonotonic_dynamic_next(&from, &to));
          }
          GOMP_loop_end_nowait();
        }
      },
      &all, threads, 0);
  for (const auto& each : all) each.expect_all();
}

/// A loop that takes long, again and again: what learns from it comes through all that it tries.
void again(unsigned threads) {
  for (int round = 0; round < 20; ++round) {
    chunked of;
    GOMP_parallel(
        [](void* data) {
          auto& seen = *static_cast<chunked*>(data);
          long from = 0;
          long to = 0;
          if (GOMP_loop_nonmonotonic_dynamic_start(0, chunked::iterations, 1, chunked::chunk, &from, &to)) {
            do {
              for (long i = from; i < to; ++i) {
                seen.ran(i);
                dawdle(i * 100);
              }
            } while (GOMP_loop_nonmonotonic_dynamic_next(&from, &to));
          }
          GOMP_loop_end_nowait();
        },
        &of, threads, 0);
    of.expect_all();
  }
}

/// A team inside each iteration of a loop.
void nested(unsigned threads) {
  nest both;
  GOMP_parallel(
      [](void* data) {
        auto& of = *static_cast<nest*>(data);
        long from = 0;
        long to = 0;
        if (GOMP_loop_nonmonotonic_dynamic_start(0, static_cast<long>(of.outer.size()), 1, 1, &from, &to)) {
          do {
            for (long i = from; i < to; ++i) {
              ++of.outer[static_cast<std::size_t>(i)];
              GOMP_parallel(
                  [](void* inside) {
                    run_loop(*static_cast<slots*>(inside), 1);
                    GOMP_loop_end();
                  },
                  &of.inner[static_cast<std::size_t>(i)], 2, 0);
            }
          } while (GOMP_loop_nonmonotonic_dynamic_next(&from, &to));
        }
        GOMP_loop_end();
      },
      &both, threads, 0);
  expect_once(both.outer, "nested, outer", 1);
  for (const auto& seen : both.inner) expect_once(seen, "nested, inner", 1);
}

/// A combined `parallel for`: the body begins with `next`.
void combined(unsigned threads) {
  slots seen(1000);
  GOMP_parallel_loop_nonmonotonic_dynamic(
      [](void* data) {
        long from = 0;
        long to = 0;
        while (GOMP_loop_nonmonotonic_dynamic_next(&from, &to)) {
          for (long i = from; i < to; ++i) ++(*static_cast<slots*>(data))[static_cast<std::size_t>(i)];
        }
        GOMP_loop_end_nowait();
      },
      &seen, threads, 0, 1000, 1, 1, 0);
  expect_once(seen, "combined", 1);
}

/// The other ways of stating a loop: one after the other, each with its own end.
struct ways {
  slots guided = slots(201), runtime = slots(202), up = slots(203), down = slots(204), by_runtime = slots(205);
};

void run_signed_ways(ways& of) {
  long from = 0;
  long to = 0;
  if (GOMP_loop_nonmonotonic_guided_start(0, 201, 1, 2, &from, &to)) {
    do {
      for (long i = from; i < to; ++i) ++of.guided[static_cast<std::size_t>(i)];
    } while (GOMP_loop_nonmonotonic_guided_next(&from, &to));
  }
  GOMP_loop_end_nowait();
  if (GOMP_loop_maybe_nonmonotonic_runtime_start(202, 0, -1, &from, &to)) {
    do {
      for (long i = from; i > to; --i) ++of.runtime[static_cast<std::size_t>(i - 1)];
    } while (GOMP_loop_maybe_nonmonotonic_runtime_next(&from, &to));
  }
  expect(!GOMP_loop_end_cancel(), "cancelled", 0, 1);
}

void run_unsigned_ways(ways& of) {
  constexpr ull top = ~0ULL;
  ull from = 0;
  ull to = 0;
  if (GOMP_loop_ull_nonmonotonic_dynamic_start(true, top - 203, top, 1, 1, &from, &to)) {
    do {
      for (ull i = from; i < to; ++i) ++of.up[i - (top - 203)];
    } while (GOMP_loop_ull_nonmonotonic_dynamic_next(&from, &to));
  }
  GOMP_loop_end_nowait();
  if (GOMP_loop_ull_nonmonotonic_guided_start(false, 3 * 204, 0, 0 - 3ULL, 1, &from, &to)) {
    do {
      for (ull i = from; i > to; i -= 3) ++of.down[i / 3 - 1];
    } while (GOMP_loop_ull_nonmonotonic_guided_next(&from, &to));
  }
  GOMP_loop_end();
  if (GOMP_loop_ull_maybe_nonmonotonic_runtime_start(true, 0, 2 * 205, 2, &from, &to)) {
    do {
      for (ull i = from; i < to; i += 2) ++of.by_runtime[i / 2];
    } while (GOMP_loop_ull_maybe_nonmonotonic_runtime_next(&from, &to));
  }
  GOMP_loop_end_cancel();
}

void other_ways(unsigned threads) {
  ways all;
  GOMP_parallel(
      [](void* data) {
        run_signed_ways(*static_cast<ways*>(data));
        run_unsigned_ways(*static_cast<ways*>(data));
      },
      &all, threads, 0);
  for (const slots* seen : {&all.guided, &all.runtime, &all.up, &all.down, &all.by_runtime}) {
    expect_once(*seen, "other ways", 1);
  }
}

/// Members that wait for each other in every way there is, slow in turn; each writes what the next then reads.
void waiting(unsigned threads) {
  slots values(threads);
  GOMP_parallel(
      [](void* data) {
        auto& of = *static_cast<slots*>(data);
        const auto members = static_cast<int>(of.size());
        for (int k = 0; k < 50; ++k) {
          if ((k + omp_get_thread_num()) % 7 == 0) dawdle(2000);
          ++of[static_cast<std::size_t>((k + omp_get_thread_num()) % members)];
          if (k % 4 == 0) GOMP_barrier();
          if (k % 4 == 1) GOMP_sections_end();
          if (k % 4 == 2) expect(!GOMP_barrier_cancel(), "cancelled", k, 1);
          if (k % 4 == 3 && GOMP_single_copy_start() == nullptr) GOMP_single_copy_end(data);
        }
      },
      &values, threads, 0);
  expect_once(values, "waiting", 50);
}

/// A loop outside of any region, and regions forked by several threads at once.
void everywhere() {
  slots alone(77);
  run_loop(alone, 1);
  GOMP_loop_end_nowait();
  expect_once(alone, "orphaned", 1);
  std::vector<std::thread> hosts;
  for (int host = 0; host < 3; ++host) {
    hosts.emplace_back([] {
      in_flight(2);
      waiting(3);
    });
  }
  for (auto& host : hosts) host.join();
}

}  // namespace

int main() {
  for (int round = 0; round < 4; ++round) {
    for (unsigned threads : {1U, 2U, 3U, 8U}) {
      in_flight(threads);
      after_barrier(threads);
      whole_chunks(threads);
      nested(threads);
      combined(threads);
      other_ways(threads);
      waiting(threads);
    }
    everywhere();
  }
  for (unsigned threads : {2U, 3U}) again(threads);
  return result();
}
