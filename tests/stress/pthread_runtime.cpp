// SPDX-License-Identifier: Apache-2.0
// An OpenMP runtime of the GOMP ABI that is just large enough to host the drop-in: regions, numbers, barriers. Its
// loops refuse to run, so a loop that was passed on by mistake is noticed.
#include <barrier>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <thread>
#include <vector>

namespace {

struct team {
  explicit team(unsigned size) : members(size), barrier(size) {}
  unsigned members;
  std::barrier<> barrier;
};

struct place {
  team* in = nullptr;
  int number = 0;
  int level = 0;
};
thread_local place here;

using outlined = void (*)(void*);

}  // namespace

extern "C" {

int omp_get_thread_num() { return here.number; }
int omp_get_num_threads() { return here.in != nullptr ? static_cast<int>(here.in->members) : 1; }
int omp_get_level() { return here.level; }

void GOMP_parallel(outlined body, void* data, unsigned threads, unsigned) {
  team members(threads);
  const place before = here;
  const auto run = [&](unsigned number) {
    here = {&members, static_cast<int>(number), before.level + 1};
    body(data);
  };
  std::vector<std::thread> others;
  for (unsigned number = 1; number < threads; ++number) others.emplace_back(run, number);
  run(0);
  for (auto& other : others) other.join();
  here = before;
}

void GOMP_barrier() {
  if (here.in != nullptr) here.in->barrier.arrive_and_wait();
}

bool GOMP_loop_nonmonotonic_dynamic_start(long, long, long, long, long*, long*) {
  std::fputs("a loop reached the host runtime\n", stderr);
  std::abort();
}

}  // extern "C"
