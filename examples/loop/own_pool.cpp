// SPDX-License-Identifier: Apache-2.0
// Pools of one's own: a loop names one, or a function runs in it with all its loops.
#include <atomic>
#include <cstdio>
#include <steelyard/loop.hpp>

int main() {
  steelyard::pool small(2);
  std::atomic<long> sum{0};
  const auto add = [&](long i) { sum += i; };
  steelyard::parallel_for(0L, 1000L, add, {.on = &small});
  small.run([&] {
    std::printf("in here loops have %u threads\n", steelyard::threads());
    steelyard::parallel_for(0L, 1000L, add);
  });
  std::printf("the sum is %ld\n", sum.load());
  return sum == 999'000 ? 0 : 1;
}
