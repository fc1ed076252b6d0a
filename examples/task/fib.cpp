// SPDX-License-Identifier: Apache-2.0
// join(f, g) calls both, at the same time if a thread has nothing to do, and returns what they return.
#include <cstdio>
#include <steelyard/task.hpp>

long fib(int n) {
  if (n < 2) return n;
  const auto [a, b] = steelyard::join([n] { return fib(n - 1); }, [n] { return fib(n - 2); });
  return a + b;
}

int main() {
  const long found = fib(27);
  std::printf("fib(27) = %ld\n", found);
  return found == 196418 ? 0 : 1;
}
