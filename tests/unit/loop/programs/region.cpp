// SPDX-License-Identifier: Apache-2.0
// Loops of the library inside an OpenMP region, a thousand times: from all its threads, from one, and with an exception.
#include <omp.h>

#include <atomic>
#include <cstdio>
#include <stdexcept>
#include <steelyard/loop.hpp>
#include <vector>

namespace {

/// How many of n iterations did not run once.
int wrong_of(int n) {
  std::vector<std::atomic<int>> ran(static_cast<std::size_t>(n));
  steelyard::parallel_for(0, n, [&](int i) { ++ran[static_cast<std::size_t>(i)]; }, {.always_parallel = true});
  int wrong = 0;
  for (const auto& times : ran) wrong += times == 1 ? 0 : 1;
  return wrong;
}

int wrong_of_thrown() {
  try {
    steelyard::parallel_for(0, 100, [](int i) { return i == 50 ? throw std::runtime_error("50") : void(); },
                            {.always_parallel = true});
    return 1;
  } catch (const std::runtime_error&) {
    return 0;
  }
}

}  // namespace

int main() {
  std::atomic<int> wrong{0};
  for (int run = 0; run < 1000; ++run) {
#pragma omp parallel num_threads(3)
    {
      wrong += wrong_of(50);
#pragma omp single
      wrong += wrong_of(200) + wrong_of_thrown();
    }
  }
  std::printf("%d wrong\n", wrong.load());
  return wrong == 0 ? 0 : 1;
}
