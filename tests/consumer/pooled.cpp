// SPDX-License-Identifier: Apache-2.0
// Loops through the C++ interface, on a pool and with costs.
#include <atomic>
#include <cstdio>
#include <stdexcept>
#include <steelyard/steelyard.hpp>

int main() {
  steelyard::pool three(3);
  std::atomic<long> sum{0};
  three.run([&] { steelyard::parallel_for(0, 1000, [&](int i) { sum += i; }, {.schedule = "steal"}); });
  const long again = steelyard::parallel_reduce(0, 1000, 0L, [](int i) { return long{i}; });
  try {
    steelyard::parallel_for(0, 10, [](int) {}, {.schedule = "no-such-schedule"});
    return 1;
  } catch (const std::invalid_argument&) {
  }
  return std::printf("%ld\n", sum.load()) > 0 && sum == 499500 && again == sum ? 0 : 1;
}
