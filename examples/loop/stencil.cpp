// SPDX-License-Identifier: Apache-2.0
// Two dimensions in blocks: heat spreads over a plate whose upper edge is kept hot.
#include <cstdio>
#include <steelyard/loop.hpp>
#include <utility>
#include <vector>

int main() {
  constexpr std::int64_t n = 300;
  std::vector<double> now(n * n);
  for (std::int64_t j = 0; j < n; ++j) now[static_cast<std::size_t>(j)] = 100;
  std::vector<double> next = now;
  const auto at = [](std::int64_t i, std::int64_t j) { return static_cast<std::size_t>(i * n + j); };

  for (int step = 0; step < 100; ++step) {
    steelyard::parallel_for({1, n - 1, 16}, {1, n - 1, 64}, [&](std::int64_t i, std::int64_t j) {
      next[at(i, j)] = (now[at(i - 1, j)] + now[at(i + 1, j)] + now[at(i, j - 1)] + now[at(i, j + 1)]) / 4;
    });
    std::swap(now, next);
  }
  std::printf("after 100 steps: %.1f degrees beside the hot edge, %.1f in the middle\n", now[at(1, n / 2)],
              now[at(n / 2, n / 2)]);
  return now[at(1, n / 2)] > 80 && now[at(n / 2, n / 2)] == 0 ? 0 : 1;
}
