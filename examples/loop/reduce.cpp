// SPDX-License-Identifier: Apache-2.0
// parallel_reduce: fast, or with the same bits for every number of threads.
#include <cmath>
#include <cstdio>
#include <functional>
#include <steelyard/loop.hpp>

int main() {
  const auto term = [](int i) { return 1.0 / (1.0 + i) / (1.0 + i); };
  constexpr int n = 2'000'000;

  const double fast = steelyard::parallel_reduce(0, n, 0.0, term);

  const auto fixed = [&](std::uint32_t threads) {
    return steelyard::parallel_reduce(0, n, 0.0, term, std::plus<>{}, {.threads = threads}, steelyard::order::fixed);
  };
  const double on_one = fixed(1);
  const double on_all = fixed(0);
  std::printf("sum of 1/i^2: %.6f; in fixed order %.17g on one thread, %.17g on all\n", fast, on_one, on_all);
  return on_one == on_all && std::abs(fast - on_one) < 1e-9 ? 0 : 1;
}
