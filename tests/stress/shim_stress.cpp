// SPDX-License-Identifier: Apache-2.0
// Regions, loops in flight together and nested teams through the drop-in's own entry points. The schedule comes from
// the environment. Counts are plain where the protocol alone must order them, so a sanitizer sees what it does not.
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

extern "C" {
void GOMP_parallel(void (*body)(void*), void* data, unsigned threads, unsigned flags);
void GOMP_parallel_loop_nonmonotonic_dynamic(void (*body)(void*), void* data, unsigned threads, long first, long end,
                                             long step, long chunk, unsigned flags);
bool GOMP_loop_nonmonotonic_dynamic_start(long first, long end, long step, long chunk, long* from, long* to);
bool GOMP_loop_nonmonotonic_dynamic_next(long* from, long* to);
void GOMP_loop_end();
void GOMP_loop_end_nowait();
int omp_get_thread_num();
}

namespace {

int failures = 0;

void expect(bool right, const char* what, long where, long value) {
  if (right) return;
  std::fprintf(stderr, "FAIL %s at %ld: %ld\n", what, where, value);
  ++failures;
}

/// Slots written by whoever runs the iteration, with plain accesses: two members on one iteration are a race.
using slots = std::vector<long>;

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

void expect_once(const slots& seen, const char* what, long times) {
  for (std::size_t i = 0; i < seen.size(); ++i) expect(seen[i] == times, what, static_cast<long>(i), seen[i]);
}

void dawdle(long rounds) {
  for (long i = 0; i < rounds; ++i) asm volatile("");
}

constexpr long loops = 60;

/// Many loops in flight: nobody waits between them, and members are slow at different times.
void in_flight(unsigned threads) {
  std::vector<slots> all;
  for (long k = 0; k < loops; ++k) all.emplace_back(static_cast<std::size_t>(k * 7 % 61));
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

struct nest {
  slots* outer;
  std::vector<slots>* inner;
};

/// A team inside each iteration of a loop.
void nested(unsigned threads) {
  slots outer(12);
  std::vector<slots> inner(outer.size(), slots(33));
  nest both{&outer, &inner};
  GOMP_parallel(
      [](void* data) {
        auto& of = *static_cast<nest*>(data);
        long from = 0;
        long to = 0;
        if (GOMP_loop_nonmonotonic_dynamic_start(0, static_cast<long>(of.outer->size()), 1, 1, &from, &to)) {
          do {
            for (long i = from; i < to; ++i) {
              ++(*of.outer)[static_cast<std::size_t>(i)];
              GOMP_parallel(
                  [](void* inside) {
                    run_loop(*static_cast<slots*>(inside), 1);
                    GOMP_loop_end();
                  },
                  &(*of.inner)[static_cast<std::size_t>(i)], 2, 0);
            }
          } while (GOMP_loop_nonmonotonic_dynamic_next(&from, &to));
        }
        GOMP_loop_end();
      },
      &both, threads, 0);
  expect_once(outer, "nested, outer", 1);
  for (const auto& seen : inner) expect_once(seen, "nested, inner", 1);
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

/// A loop outside of any region, and regions forked by several threads at once.
void everywhere() {
  slots alone(77);
  run_loop(alone, 1);
  GOMP_loop_end_nowait();
  expect_once(alone, "orphaned", 1);
  std::vector<std::thread> hosts;
  for (int host = 0; host < 3; ++host) hosts.emplace_back([] { in_flight(2); });
  for (auto& host : hosts) host.join();
}

}  // namespace

int main() {
  for (int round = 0; round < 4; ++round) {
    for (unsigned threads : {1U, 2U, 3U, 8U}) {
      in_flight(threads);
      after_barrier(threads);
      nested(threads);
      combined(threads);
    }
    everywhere();
  }
  std::printf("%d failures\n", failures);
  return failures == 0 ? 0 : 1;
}
