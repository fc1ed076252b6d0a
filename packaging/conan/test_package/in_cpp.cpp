// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <steelyard/loop.hpp>
#include <steelyard/task.hpp>

int main() {
  const long sum =
      steelyard::parallel_reduce(0, 1000, 0L, [](int i) { return long{i}; }, std::plus<>{}, {.always_parallel = true});
  const auto [a, b] = steelyard::join([] { return 1; }, [] { return 2; });
  std::printf("%ld %d\n", sum, a + b);
  return sum == 499500 && a + b == 3 ? 0 : 1;
}
