// SPDX-License-Identifier: Apache-2.0
// A thread forks while another one begins the process's first loop, or its first tasks: the child waited for ever for what that
// was making. Each try is a process of its own, whose first loop it is.
#include <atomic>
#include <cstdlib>
#include <steelyard/dataflow.hpp>
#include <steelyard/loop.hpp>
#include <steelyard/task.hpp>
#include <thread>

#include "children.hpp"

namespace {

void loop() {
  steelyard::parallel_for(0, 10'000, [](int) {}, {.always_parallel = true});
}
void halves() {
  static_cast<void>(steelyard::join([] { return 1; }, [] { return 2; }));
}
void tasks() {
  for (int i = 0; i < 100; ++i) steelyard::fork_task([] {});
  steelyard::sync_tasks();
}
void additions() {
  steelyard::shared<int> sum(0);
  struct add {
    void operator()(int& into, int more) const { into += more; }
  };
  for (int i = 0; i < 100; ++i) steelyard::fork_task([](steelyard::cw<int, add> to) { to.add(1); }, sum);
  steelyard::sync_tasks();
}

/// Forks so many turns of a busy-wait after another thread began.
bool child_ends(void (*first)(), int turns) {
  std::atomic<bool> go{false};
  std::thread other([&] {
    while (!go) {
    }
    first();
  });
  usleep(200);
  go = true;
  for (int i = 0; i < turns; ++i) {
    asm volatile("");
  }
  const bool fine = regress::fine_in_child([first] {
    first();
    return true;
  });
  other.join();
  return fine;
}

}  // namespace

int main() {
  if (!regress::children_have_threads) return 0;
  setenv("STEELYARD_NUM_THREADS", "4", 1);
  int failed = 0;
  int tries = 0;
  for (void (*const first)() : {loop, halves, tasks, additions}) {
    for (int round = 0; round < 250; ++round, ++tries) {
      failed += regress::fine_in_child([=] { return child_ends(first, round * 200); }) ? 0 : 1;
    }
  }
  std::printf("%d of %d failed\n", failed, tries);
  return failed == 0 ? 0 : 1;
}
