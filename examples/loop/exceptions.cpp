// SPDX-License-Identifier: Apache-2.0
// The first exception stops the loop and arrives at its caller.
#include <atomic>
#include <cstdio>
#include <stdexcept>
#include <steelyard/loop.hpp>
#include <string>

int main() {
  std::atomic<int> ran{0};
  try {
    steelyard::parallel_for(0, 1'000'000'000, [&](int i) {
      ++ran;
      if (i == 12'345) throw std::runtime_error("iteration " + std::to_string(i) + " found a mistake");
    });
  } catch (const std::runtime_error& error) {
    std::printf("caught: %s\n", error.what());
    return ran < 1'000'000'000 ? 0 : 1;
  }
  return 1;
}
