// SPDX-License-Identifier: Apache-2.0
// A plugin that uses the library: lifetime_test.cpp loads and unloads it.
#include <atomic>
#include <steelyard/loop.hpp>

extern "C" __attribute__((visibility("default"))) long plugin_sum(long n, const char* schedule) {
  std::atomic<long> sum{0};
  steelyard::parallel_for(0L, n, [&](long i) { sum += i; }, {.schedule = schedule, .always_parallel = true});
  return sum;
}
