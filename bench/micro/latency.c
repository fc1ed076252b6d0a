// SPDX-License-Identifier: Apache-2.0
// What a parallel loop costs beside its iterations. Built twice: with OpenMP, and with -DSTEELYARD on libsteelyard.
//   latency pair ROUNDS       two iterations of 10 us, one loop right after the other; microseconds per loop
//   latency idle ROUNDS       the same, 10 ms of sleep before each; then the wake-up of a thread that sleeps on another
//                             processor, by futex
//   latency parked ROUNDS     the same, but 1 ms of computing before each, also before a wake-up
//   latency thousand ROUNDS   1,000 trivial iterations, and the same loop without any runtime; nanoseconds per loop
//   latency micro ROUNDS      the same with 1,000 iterations of about a nanosecond
//   latency tail ROUNDS       one iteration of 500 ms with 500 behind it: from when the other thread has run its half until
//                             it has one of those; microseconds
// prints a line for each sample.
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#ifdef STEELYARD
#include <steelyard/steelyard.h>
#endif

typedef void body(long i);

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void compute(double seconds) {
  for (const double end = now() + seconds; now() < end;) {
  }
}

#ifdef STEELYARD
static void run_all(void* of, steelyard_member* self, uint64_t first, uint64_t count, uint64_t stride) {
  (void)self;
  body* const run = (body*)of;
  for (; count != 0; --count, first += stride) run((long)first);
}

static void parallel(long n, body* run) {
  steelyard_loop loop;
  memset(&loop, 0, sizeof loop);
  loop.size = sizeof loop;
  loop.iterations = (uint64_t)n;
  loop.body = (void*)run;
  loop.run = run_all;
  loop.flags = STEELYARD_ALWAYS_PARALLEL;
  steelyard_loop_run(&loop);
}
#else
static void parallel(long n, body* run) {
#pragma omp parallel for schedule(dynamic, 1)
  for (long i = 0; i < n; ++i) run(i);
}
#endif

static void ten_microseconds(long i) {
  (void)i;
  compute(10e-6);
}

// What the caller does before each call.
static void nothing(void) {}
static void sleep_first(void) { usleep(10000); }
static void compute_first(void) { compute(1e-3); }

static void pair(long rounds, void (*first)(void)) {
  for (long r = 0; r < 200; ++r) parallel(2, ten_microseconds);
  for (long r = 0; r < rounds; ++r) {
    first();
    const double began = now();
    parallel(2, ten_microseconds);
    printf("%.3f\n", 1e6 * (now() - began));
  }
}

static _Atomic uint32_t bell;
static _Atomic uint32_t answer;

// Beside the thread that wakes it, it could not run while that goes on.
static void* sleeper(void* wakes_from) {
  cpu_set_t others;
  sched_getaffinity(0, sizeof others, &others);
  CPU_CLR(*(const int*)wakes_from, &others);
  sched_setaffinity(0, sizeof others, &others);
  for (uint32_t seen = 0;;) {
    while (atomic_load(&bell) == seen) syscall(SYS_futex, &bell, FUTEX_WAIT_PRIVATE, seen, NULL, NULL, 0);
    seen = atomic_load(&bell);
    atomic_store(&answer, seen);
    if (seen == UINT32_MAX) return NULL;
  }
}

static void wakes(long rounds, void (*first)(void)) {
  pthread_t thread;
  int here = sched_getcpu();
  if (pthread_create(&thread, NULL, sleeper, &here) != 0) exit(1);
  cpu_set_t only;
  CPU_ZERO(&only);
  CPU_SET(here, &only);
  usleep(10000);
  sched_setaffinity(0, sizeof only, &only);
  for (long r = 0; r < rounds; ++r) {
    first();
    const uint32_t next = r + 1 == rounds ? UINT32_MAX : (uint32_t)r + 1;
    const double began = now();
    atomic_store(&bell, next);
    syscall(SYS_futex, &bell, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
    while (atomic_load(&answer) != next) {
    }
    printf("wake %.3f\n", 1e6 * (now() - began));
  }
  pthread_join(thread, NULL);
}

// Loops of so many iterations, which a caller does better alone.
enum { small = 1000 };
static double values[small];
static inline void trivial(long i) { values[i] += 1.0; }
// About a nanosecond.
static inline void nanosecond(long i) {
  uint64_t x = (uint64_t)i * 0x9e3779b97f4a7c15U;
  x = (x ^ x >> 31) * 0xbf58476d1ce4e5b9U;
  x = (x ^ x >> 29) * 0x94d049bb133111ebU;
  x = (x ^ x >> 32) * 0xd6e8feb86659fd93U;
  values[i] = (double)(x >> 11);
}

// Each as a loop of the runtime, and without any.
#ifdef STEELYARD
static void run_small(void (*chunk)(void*, steelyard_member*, uint64_t, uint64_t, uint64_t)) {
  steelyard_loop loop;
  memset(&loop, 0, sizeof loop);
  loop.size = sizeof loop;
  loop.iterations = small;
  loop.run = chunk;
  steelyard_loop_run(&loop);
}
#define LOOP_OF(body)                                                                                           \
  static void chunk_##body(void* of, steelyard_member* self, uint64_t first, uint64_t count, uint64_t stride) { \
    (void)of, (void)self;                                                                                       \
    if (stride == 1) {                                                                                          \
      for (long i = (long)first, end = (long)(first + count); i < end; ++i) body(i);                            \
    } else {                                                                                                    \
      for (; count != 0; --count, first += stride) body((long)first);                                           \
    }                                                                                                           \
  }                                                                                                             \
  static void loop_##body(void) { run_small(chunk_##body); }
#else
#define LOOP_OF(body) \
  static void loop_##body(void) { _Pragma("omp parallel for") for (long i = 0; i < small; ++i) body(i); }
#endif
#define SERIAL_OF(body)                                       \
  __attribute__((noinline)) static void serial_##body(void) { \
    for (long i = 0; i < small; ++i) body(i);                 \
    __asm__ volatile("" ::: "memory");                        \
  }

LOOP_OF(trivial)
SERIAL_OF(trivial)
LOOP_OF(nanosecond)
SERIAL_OF(nanosecond)

static double nanoseconds_of(void (*run)(void)) {
  const int times = 2000;
  const double began = now();
  for (int i = 0; i < times; ++i) run();
  return 1e9 * (now() - began) / times;
}

static void compare(long rounds, void (*loop)(void), void (*serial)(void)) {
  nanoseconds_of(loop);
  for (long r = 0; r < rounds; ++r) {
    printf("%.1f\n", nanoseconds_of(loop));
    printf("serial %.1f\n", nanoseconds_of(serial));
  }
}

enum { half = 500 };
static pthread_t computing;
static _Atomic int begun;
static double ended_own;
static double began_other;

static void one_is_long(long i) {
  if (i == 0) {
    computing = pthread_self();
    atomic_store(&begun, 1);
    compute(500e-3);
  } else if (i >= half) {
    while (!atomic_load(&begun)) {
    }
    if (!pthread_equal(pthread_self(), computing)) ended_own = now();
  } else if (began_other == 0 && !pthread_equal(pthread_self(), computing)) {
    began_other = now();
  }
}

static void tail(long rounds) {
  for (long r = 0; r < rounds; ++r) {
    began_other = ended_own = 0;
    atomic_store(&begun, 0);
    parallel(2 * half, one_is_long);
    printf("%.3f\n", began_other != 0 ? 1e6 * (began_other - ended_own) : -1);
  }
}

int main(int argc, char** argv) {
  const long rounds = argc == 3 ? atol(argv[2]) : 0;
  if (rounds <= 0) {
    fputs("usage: latency pair|idle|parked|thousand|micro|tail ROUNDS\n", stderr);
    return 2;
  }
  if (strcmp(argv[1], "pair") == 0) {
    pair(rounds, nothing);
  } else if (strcmp(argv[1], "idle") == 0) {
    pair(rounds, sleep_first);
    wakes(rounds, sleep_first);
  } else if (strcmp(argv[1], "parked") == 0) {
    pair(rounds, compute_first);
    wakes(rounds, compute_first);
  } else if (strcmp(argv[1], "thousand") == 0) {
    compare(rounds, loop_trivial, serial_trivial);
  } else if (strcmp(argv[1], "micro") == 0) {
    compare(rounds, loop_nanosecond, serial_nanosecond);
  } else if (strcmp(argv[1], "tail") == 0) {
    tail(rounds);
  } else {
    fprintf(stderr, "latency: '%s' is none of pair, idle, parked, thousand, micro, tail\n", argv[1]);
    return 2;
  }
  return 0;
}
