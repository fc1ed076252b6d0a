// SPDX-License-Identifier: Apache-2.0
// A loop by `automatic`, so many times over: remembered INSTANCES [ITERATIONS]. It prints how often iterations ran.
// INSTANCES -1: the program changes its environment and looks at errno behind its first loop; -2: it forks.
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <steelyard/loop.hpp>
#include <vector>

namespace {

std::vector<int> ran(100'000);

void loop(int n) {
  steelyard::parallel_for(0, n,
                          [](int i) {
                            for (int step = 0; step < 10 * i; ++step) asm volatile("");
                            ++ran[static_cast<std::size_t>(i)];
                          },
                          {.always_parallel = true});
}

int looks_at_errno() {
  errno = 0;
  loop(1000);
  std::printf("errno %d\n", errno);
  void* const gone = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  environ = static_cast<char**>(gone);
  munmap(gone, 4096);
  return 0;
}

/// The child goes on with what its parent has learnt.
int forks() {
  loop(1000);
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    for (int run = 0; run < 200; ++run) loop(1000);
    std::printf("child\n");
    return 0;
  }
  int status = 0;
  waitpid(child, &status, 0);
  std::printf("parent\n");
  std::fflush(stdout);
  _exit(status);
}

}  // namespace

int main(int argc, char** argv) {
  const int instances = argc > 1 ? std::atoi(argv[1]) : 1;
  const int n = argc > 2 ? std::atoi(argv[2]) : 1000;
  if (instances == -1) return looks_at_errno();
  if (instances == -2) return forks();
  for (int run = 0; run < instances; ++run) loop(n);
  long all = 0;
  for (const int times : ran) all += times;
  std::printf("%ld\n", all);
  return 0;
}
