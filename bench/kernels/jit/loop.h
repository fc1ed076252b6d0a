// SPDX-License-Identifier: Apache-2.0
// How a kernel writes a parallel loop:
//   #pragma omp parallel for schedule(CLAUSE)
//   LOOP(i, n) { … };
// Built for OpenMP that is a plain loop under a clause, static or runtime. Without OpenMP nobody sees the pragma, and the loop is
// serial. With JIT_TBB it is oneTBB's.
#ifndef BENCH_JIT_LOOP_H
#define BENCH_JIT_LOOP_H

#ifdef JIT_TBB
#include "tbb_loop.hpp"
#define LOOP(i, n) jit::loop{n} << [=](long i)
#else
#define LOOP(i, n) for (long i = 0; i < (n); ++i)
#endif

#endif
