// SPDX-License-Identifier: Apache-2.0
// A schedule chosen by its name, from the command line for instance: by_name [NAME[,CHUNK]]…
#include <atomic>
#include <cstdio>
#include <stdexcept>
#include <steelyard/loop.hpp>

int main(int count, char** words) {
  const char* const usual[] = {"static", "dynamic,64", "guided", "steal", "idws"};
  for (int i = 0; i < (count > 1 ? count - 1 : 5); ++i) {
    const char* const schedule = count > 1 ? words[i + 1] : usual[i];
    std::atomic<long> sum{0};
    try {
      steelyard::parallel_for(0L, 10'000L, [&](long k) { sum += k; }, {.schedule = schedule});
    } catch (const std::invalid_argument& error) {
      std::fprintf(stderr, "%s\n", error.what());
      return 2;
    }
    std::printf("%s: %ld\n", schedule, sum.load());
    if (sum != 49'995'000) return 1;
  }
  return 0;
}
