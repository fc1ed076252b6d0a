// SPDX-License-Identifier: Apache-2.0
// A program whose main thread ends before the process, after a loop; another thread runs one more. The process must end.
#include <pthread.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <steelyard/loop.hpp>
#include <thread>

namespace {

bool all_run() {
  std::atomic<int> ran{0};
  steelyard::parallel_for(0, 1000, [&](int) { ++ran; }, {.always_parallel = true});
  return ran == 1000;
}

}  // namespace

int main() {
  if (!all_run()) return 1;
  std::thread([] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    if (!all_run()) std::_Exit(1);
    std::printf("ended\n");
  }).detach();
  pthread_exit(nullptr);
}
