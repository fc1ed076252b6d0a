// SPDX-License-Identifier: Apache-2.0
// The macros of Rokos, Gorman & Kelly in an existing OpenMP region: loops follow each other without barriers.
#include <omp.h>

#include <steelyard/idws.h>
#include <atomic>
#include <cstdio>

int main() {
  std::atomic<long> rows(0);
  std::atomic<long> steps(0);
  IDWS::IDWS_Initialize();
  int nthreads = omp_get_max_threads();
#pragma omp parallel
  {
    int tid = omp_get_thread_num();
    IDWS_prologue(int, i, 2000)
      for (int k = 0; k < i; ++k) ++steps;  // the later, the longer
    IDWS_epilogue
    IDWS_prologue(int, i, 500)
      if (i % 5 == 0) continue;
      ++rows;
    IDWS_epilogue
  }
  IDWS::IDWS_Finalize();
  std::printf("%ld steps in a triangle, %ld rows of 500\n", steps.load(), rows.load());
  return steps == 1999000 && rows == 400 ? 0 : 1;
}
