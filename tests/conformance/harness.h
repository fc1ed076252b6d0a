/* SPDX-License-Identifier: Apache-2.0 */
/* What every conformance program shares: the list of cases, a watchdog, and a
 * record of which iterations ran.  Nothing here knows of Steelyard. */
#ifndef CONFORMANCE_HARNESS_H
#define CONFORMANCE_HARNESS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A pragma whose text may come from macro arguments. */
#define OMP_TEXT(...) _Pragma(#__VA_ARGS__)
#define OMP(...) OMP_TEXT(omp __VA_ARGS__)

/* Every schedule clause a loop may carry, as X(tag, clause).  `chunk_variable`
 * keeps the compiler from folding the chunk. */
extern int chunk_variable;
#define DYNAMIC_CLAUSES(X)                                  \
  X(runtime, schedule(runtime))                             \
  X(dynamic, schedule(dynamic))                             \
  X(dynamic_7, schedule(dynamic, 7))                        \
  X(dynamic_var, schedule(dynamic, chunk_variable))         \
  X(guided, schedule(guided))                               \
  X(guided_3, schedule(guided, 3))                          \
  X(auto, schedule(auto))                                   \
  X(nonmonotonic_dynamic, schedule(nonmonotonic : dynamic)) \
  X(nonmonotonic_runtime, schedule(nonmonotonic : runtime))
#define MONOTONIC_CLAUSES(X)                               \
  X(monotonic_dynamic, schedule(monotonic : dynamic))      \
  X(monotonic_dynamic_3, schedule(monotonic : dynamic, 3)) \
  X(monotonic_guided, schedule(monotonic : guided))        \
  X(monotonic_runtime, schedule(monotonic : runtime))
#define STATIC_CLAUSES(X)     \
  X(static, schedule(static)) \
  X(static_5, schedule(static, 5))
#define ALL_CLAUSES(X) DYNAMIC_CLAUSES(X) MONOTONIC_CLAUSES(X) STATIC_CLAUSES(X)

struct test_case {
  const char* name;
  void (*run)(void);
};

/* Runs the chosen cases (`--list`, `--skip A,B`, or names) and returns the exit status. */
int run_cases(int argc, char** argv, const struct test_case* cases, int count);
#define RUN_CASES(argc, argv, cases) run_cases(argc, argv, cases, (int)(sizeof(cases) / sizeof((cases)[0])))

/* Marks the running case as failed; the first message is kept.  Any thread may call it. */
void fail(const char* format, ...) __attribute__((format(printf, 1, 2)));
#define EXPECT(condition, ...) \
  do {                         \
    if (!(condition)) {        \
      fail(__VA_ARGS__);       \
    }                          \
  } while (0)

/* How often each of n iterations ran. */
struct cover {
  uint64_t n;
  uint64_t stray; /* hits outside 0 .. n-1 */
  unsigned char* hits;
};
void cover_open(struct cover* c, uint64_t n);
/* So many records of n each. */
void covers_open(struct cover* all, int count, uint64_t n);
/* Fails the case unless each iteration ran exactly once, then frees the record. */
void cover_close(struct cover* c, const char* format, ...) __attribute__((format(printf, 2, 3)));
/* The same for loops that may stop early: at most once. */
void cover_close_at_most_once(struct cover* c, const char* format, ...) __attribute__((format(printf, 2, 3)));

static inline void cover_hit(struct cover* c, uint64_t k) {
  if (k < c->n) {
    __atomic_fetch_add(&c->hits[k], 1, __ATOMIC_RELAXED);
  } else {
    __atomic_fetch_add(&c->stray, 1, __ATOMIC_RELAXED);
  }
}

/* Keeps the calling thread busy, yielding, for about so long. */
void linger(unsigned microseconds);

/* A small repeatable pseudo-random number for position x. */
static inline unsigned scatter(unsigned x) {
  x = (x ^ (x >> 16)) * 0x45d9f3bu;
  x = (x ^ (x >> 16)) * 0x45d9f3bu;
  return x ^ (x >> 16);
}

#ifdef __cplusplus
}
#endif
#endif
