// SPDX-License-Identifier: Apache-2.0
// Loops in loops: no threads are added, and whoever is idle helps in either. Prime numbers, by rows of a triangle.
#include <atomic>
#include <cstdio>
#include <steelyard/loop.hpp>

bool is_prime(int n) {
  for (int d = 2; d * d <= n; ++d) {
    if (n % d == 0) return false;
  }
  return n > 1;
}

int main() {
  std::atomic<int> primes{0};
  steelyard::parallel_for(0, 400, [&](int row) {
    steelyard::parallel_for(0, row, [&](int column) {
      if (is_prime(row * (row - 1) / 2 + column)) ++primes;
    });
  });
  std::printf("%d of the numbers below 79800 are prime\n", primes.load());
  return primes == 7813 ? 0 : 1;
}
