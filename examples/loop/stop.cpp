// SPDX-License-Identifier: Apache-2.0
// A stop token ends a loop early, here because of what `progress` says.
#include <chrono>
#include <cstdio>
#include <steelyard/loop.hpp>
#include <stop_token>
#include <thread>

int main() {
  std::stop_source enough;
  std::uint64_t percent = 0;
  const bool whole = steelyard::parallel_for(
      0, 100'000, [](int) { std::this_thread::sleep_for(std::chrono::microseconds(20)); },
      {.schedule = "dynamic,16", .stop = enough.get_token(), .progress = [&](std::uint64_t taken, std::uint64_t all) {
         percent = taken * 100 / all;
         if (percent >= 5) enough.request_stop();
       }});
  std::printf("%s after %s percent\n", whole ? "done" : "stopped", percent >= 5 ? "five or more" : "fewer than five");
  return !whole && percent >= 5 ? 0 : 1;
}
