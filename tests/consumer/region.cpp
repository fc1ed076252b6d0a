// SPDX-License-Identifier: Apache-2.0
// The macros of idws.h in an OpenMP region, in C++11.
#include <steelyard/idws.h>
#include <atomic>
#include <cstdio>

int main() {
  std::atomic<long> sum(0);
  IDWS::IDWS_Initialize();
  int nthreads = omp_get_max_threads();
#pragma omp parallel
  {
    int tid = omp_get_thread_num();
    IDWS_prologue(int, i, 1000)
      sum += i;
    IDWS_epilogue
  }
  IDWS::IDWS_Finalize();
  return std::printf("%ld\n", sum.load()) > 0 && sum == 499500 ? 0 : 1;
}
