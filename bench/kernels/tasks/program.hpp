// SPDX-License-Identifier: Apache-2.0
// The course of the task programs: time a kernel, look at its result. Output, one fact a line:
//   fib 35: 9227465
//   kernel: median 0.012345678 s, best 0.012345678 s of 3 runs
//   counter steals: 12        (of all runs; where the runtime tells)
//   peak memory: 12345 KiB
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

#include "common/arguments.h"
#include "kernels.hpp"

namespace task_kernels {

struct request {
  const kernel* what = nullptr;
  long size = 0;
  long threads = 1;
  long repeat = 3;

  void parse(int argc, char** argv, const char* summary) {
    const char* name = nullptr;
    const argument table[] = {
        argument_text("--kernel", "NAME", "fib, queens, uts-t1 or uts-t3", &name),
        argument_number("--size", "n of fib (default 35) and of queens (default 13)", 1, 50, &size),
        argument_number("--threads", "threads, the program's own included", 1, 4096, &threads),
        argument_number("--repeat", "timed runs", 1, 1000, &repeat)};
    arguments_parse(argc, argv, summary, table, sizeof table / sizeof table[0]);
    what = name != nullptr ? find_kernel(name) : nullptr;
    if (what == nullptr)
      bad_input("--kernel %s: there are fib, queens, uts-t1, uts-t3", name != nullptr ? name : "NAME");
    if (what->name == "queens" && size > 20) bad_input("--size %ld: queens takes at most 20", size);
    if (size == 0) size = what->size;
  }
};

inline std::int64_t expected(const request& wanted) {
  if (wanted.what->tree != nullptr) return wanted.what->tree->nodes;
  if (wanted.what->name == "fib") {
    std::int64_t a = 0, b = 1;
    for (long i = 0; i < wanted.size; ++i) b += std::exchange(a, b);
    return a;
  }
  static constexpr std::int64_t boards[] = {1,  1,   0,   0,    2,     10,    4,      40,
                                            92, 352, 724, 2680, 14200, 73712, 365596, 2279184};
  return wanted.size < 16 ? boards[wanted.size] : -1;
}

// Of this program; that of getrusage is never less than its parent's was.
inline long peak_kib() {
  long kib = 0;
  if (std::FILE* const status = std::fopen("/proc/self/status", "r")) {
    char line[256];
    while (std::fgets(line, sizeof line, status) != nullptr && std::sscanf(line, "VmHWM: %ld", &kib) != 1) {
    }
    std::fclose(status);
  }
  return kib;
}

// once() runs the kernel.
template <class Once>
int measure(const request& wanted, Once once) {
  std::vector<double> seconds;
  const auto right = expected(wanted);
  for (long run = 0; run < wanted.repeat; ++run) {
    const auto began = std::chrono::steady_clock::now();
    const std::int64_t found = once();
    seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count());
    if (run == 0) {
      std::printf("%.*s %ld: %lld\n", static_cast<int>(wanted.what->name.size()), wanted.what->name.data(), wanted.size,
                  static_cast<long long>(found));
    }
    if (right >= 0 && found != right) {
      std::fprintf(stderr, "WRONG: %lld, expected %lld\n", static_cast<long long>(found),
                   static_cast<long long>(right));
      return EXIT_FAILURE;
    }
  }
  std::sort(seconds.begin(), seconds.end());
  const std::size_t count = seconds.size();
  std::printf("kernel: median %.9f s, best %.9f s of %zu runs\n", (seconds[(count - 1) / 2] + seconds[count / 2]) / 2,
              seconds.front(), count);
  std::printf("peak memory: %ld KiB\n", peak_kib());
  return EXIT_SUCCESS;
}

}  // namespace task_kernels
