/* SPDX-License-Identifier: Apache-2.0 */
/* A shared object with loops of its own, opened, closed and replaced at run time.  Built
 * twice, with different PLUGIN_STEP, so that one can take the place of the other. */
#include "harness.h"

#include <string.h>

#ifndef PLUGIN_STEP
#define PLUGIN_STEP 1
#endif

/* The harness stays in the host; only these two names of it are used here. */
int chunk_variable = 5;

static int wrong(const unsigned char* hits, int n) {
  int bad = 0;
  for (int i = 0; i < n; i++) {
    bad += hits[i] != 1;
  }
  return bad;
}

#define LOOPS(CTAG, ...)                                               \
  memset(hits, 0, sizeof hits);                                        \
  OMP(parallel) {                                                      \
        OMP(for nowait __VA_ARGS__)                                    \
    for (int i = 0; i < 200; i += PLUGIN_STEP) {                       \
      __atomic_fetch_add(&hits[i / PLUGIN_STEP], 1, __ATOMIC_RELAXED); \
    }                                                                  \
        OMP(for __VA_ARGS__)                                           \
    for (unsigned long long i = 400; i > 200; i--) {                   \
      __atomic_fetch_add(&hits[i - 1], 1, __ATOMIC_RELAXED);           \
    }                                                                  \
  }                                                                    \
  bad += wrong(hits, (199 + PLUGIN_STEP) / PLUGIN_STEP) + wrong(hits + 200, 200);

/* How many iterations did not run exactly once. */
int plugin_check(void);
int plugin_check(void) {
  unsigned char hits[400];
  int bad = 0;
  DYNAMIC_CLAUSES(LOOPS)
  STATIC_CLAUSES(LOOPS)
  return bad;
}

#ifdef PLUGIN_AT_LOAD
/* While the loader holds its lock: members of the team that needed it would never come back. */
static int bad_at_load;

__attribute__((constructor)) static void run_at_load(void) { bad_at_load = plugin_check(); }

int plugin_check_at_load(void);
int plugin_check_at_load(void) { return bad_at_load; }
#endif
