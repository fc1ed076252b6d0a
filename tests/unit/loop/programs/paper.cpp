// SPDX-License-Identifier: Apache-2.0
// The paper's program (snippet 6), by its own header, with its unsigned counters, and its rule that a thief which is refused
// leaves the loop. Built with IDWS_ONE_TRY, or run with STEELYARD_ONE_TRY=1, else two threads wait for each other for ever.
#include "IDWS.h"

#include <atomic>
#include <cstdio>
#include <vector>

int main() {
  const std::size_t SIZE = 90;
  std::vector<std::atomic<int>> runs(SIZE);
  std::atomic<bool> one_has_left(false);
  IDWS::IDWS_Initialize();
  int nthreads = 3;
#pragma omp parallel num_threads(nthreads)
  {
    int tid = omp_get_thread_num();
    IDWS_prologue(std::size_t, i, SIZE)
      ++runs[i];
      // Both others come to the first thread, which answers when it looks next. One asks, one is turned away.
      while (i == 0 && !one_has_left) {
      }
    IDWS_epilogue
    one_has_left = true;
  }
  IDWS::IDWS_Finalize();
  int wrong = 0;
  for (const auto& run : runs) wrong += run == 1 ? 0 : 1;
  std::printf("%d wrong\n", wrong);
  return wrong == 0 ? 0 : 1;
}
