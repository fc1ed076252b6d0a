// SPDX-License-Identifier: Apache-2.0
// What a thread pays to enter and leave a loop of an `omp parallel` region beside its iterations: two, which do nothing.
//   entry THREADS ROUNDS   prints `macros NS`, `dynamic NS` and `guided NS`, a line for each sample: nanoseconds per loop
#include <omp.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>

#include <IDWS.h>

namespace {

constexpr int loops = 20000;

/// Nobody can tell that it does nothing.
void nothing(int i) { asm volatile("" ::"r"(i)); }

void by_macros(int nthreads) {
#pragma omp parallel num_threads(nthreads)
  {
    const int tid = omp_get_thread_num();
    for (int n = 0; n < loops; ++n) {
      IDWS_prologue(int, i, 2)
        nothing(i);
      IDWS_epilogue
    }
  }
}

void by_dynamic(int nthreads) {
#pragma omp parallel num_threads(nthreads)
  for (int n = 0; n < loops; ++n) {
#pragma omp for schedule(dynamic) nowait
    for (int i = 0; i < 2; ++i) nothing(i);
  }
}

void by_guided(int nthreads) {
#pragma omp parallel num_threads(nthreads)
  for (int n = 0; n < loops; ++n) {
#pragma omp for schedule(guided) nowait
    for (int i = 0; i < 2; ++i) nothing(i);
  }
}

template <class Run>
void sample(const char* name, Run run, int nthreads) {
  using clock = std::chrono::steady_clock;
  const auto began = clock::now();
  run(nthreads);
  std::printf("%s %.2f\n", name, std::chrono::duration<double, std::nano>(clock::now() - began).count() / loops);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const int nthreads = std::atoi(argv[1]);
  by_macros(nthreads);
  for (int round = std::atoi(argv[2]); round > 0; --round) {
    sample("macros", by_macros, nthreads);
    sample("dynamic", by_dynamic, nthreads);
    sample("guided", by_guided, nthreads);
  }
}
