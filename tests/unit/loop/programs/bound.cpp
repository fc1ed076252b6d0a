// SPDX-License-Identifier: Apache-2.0
// A program whose OpenMP runtime binds threads: prints how many threads a loop has, and the least number of processors that
// any worker of the pool may use. That of the thread that woke the workers last counts: they stay off it (runtime/pool.md).
#include <omp.h>
#include <sched.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <steelyard/loop.hpp>
#include <string>
#include <thread>

namespace {

/// 0: some have not begun.
int least_of_workers() {
  int least = 1 << 20;
  unsigned found = 1;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
    std::string name;
    std::ifstream(task.path() / "comm") >> name;
    cpu_set_t mask;
    if (name.rfind("steelyard/", 0) != 0) continue;
    if (sched_getaffinity(std::atoi(task.path().filename().c_str()), sizeof mask, &mask) != 0) continue;
    CPU_SET(sched_getcpu(), &mask);
    least = std::min(least, CPU_COUNT(&mask));
    ++found;
  }
  return found == steelyard::threads() ? least : 0;
}

}  // namespace

int main(int count, char**) {
  if (count > 1) {
#pragma omp parallel
    steelyard::parallel_for(0, 100, [](int) {});
  }
  steelyard::parallel_for(0, 100, [](int) {}, {.always_parallel = true});
  for (int tries = 0; least_of_workers() == 0 && tries < 30'000; ++tries) {  // until all have begun
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  int least = 0;
  for (int tries = 0; least < 2 && tries < 30; ++tries) {  // this thread may be moved between waking them and looking
    steelyard::parallel_for(0, 100, [](int) {}, {.always_parallel = true});  // wakes them from here
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    least = least_of_workers();
  }
  std::printf("%u %d\n", steelyard::threads(), least);
  return omp_get_max_threads() > 0 ? 0 : 1;
}
