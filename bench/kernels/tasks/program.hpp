// SPDX-License-Identifier: Apache-2.0
// The course of the task programs: time a kernel, look at its result. Output, one fact a line:
//   fib 35: 9227465
//   kernel: median 0.012345678 s, best 0.012345678 s of 3 runs
//   counter steals: 12        (of all runs; where the runtime tells)
//   peak memory: 12345 KiB
#pragma once

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "common/arguments.h"
#include "kernels.hpp"
#include "peak.hpp"

namespace task_kernels {

struct request {
  const kernel* what = nullptr;
  long size = 0;
  long cutoff = 0;
  long threads = 1;
  long repeat = 3;
  int count = 0;

  void parse(int argc, char** argv, const char* summary) {
    std::string names;
    for (const auto& each : kernels) names += (names.empty() ? "" : ", ") + std::string(each.name);
    const char* name = nullptr;
    const argument table[] = {
        argument_text("--kernel", "NAME", names.c_str(), &name),
        argument_number("--size", "n, elements or paths; 0: as usual", 0, 1L << 40, &size),
        argument_number("--cutoff", "sorts make no tasks for so many elements; 0: always", 0, 1L << 40, &cutoff),
        argument_number("--threads", "threads, the program's own included", 1, 4096, &threads),
        argument_number("--repeat", "timed runs", 1, 1000, &repeat),
        argument_flag("--count", "tasks-serial: instead, how many tasks the others make", &count)};
    arguments_parse(argc, argv, summary, table, sizeof table / sizeof table[0]);
    what = name != nullptr ? find_kernel(name) : nullptr;
    if (what == nullptr) bad_input("--kernel %s: there are %s", name != nullptr ? name : "NAME", names.c_str());
    if (size > what->most) bad_input("--size %ld: %s takes at most %ld", size, name, what->most);
    if (size == 0) size = what->size;
    if (what->name == "strassen" && !std::has_single_bit(static_cast<unsigned long>(size)))
      bad_input("--size %ld: strassen takes powers of two", size);
  }
};

// enter(f) calls f() where it may make tasks.
template <class Tasks, class Enter>
int measure(const request& wanted, const Enter& enter) {
  return with_kernel(wanted.what->name, wanted.size, wanted.cutoff, [&](auto problem) {
    std::vector<double> seconds;
    for (long run = 0; run < wanted.repeat; ++run) {
      problem.prepare();
      const auto began = std::chrono::steady_clock::now();
      enter([&problem] { problem.template solve<Tasks>(); });
      seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count());
      if (!problem.is_right()) {
        std::fprintf(stderr, "WRONG: %lld\n", static_cast<long long>(problem.result()));
        return EXIT_FAILURE;
      }
    }
    std::printf("%.*s %ld: %lld\n", static_cast<int>(wanted.what->name.size()), wanted.what->name.data(), wanted.size,
                static_cast<long long>(problem.result()));
    std::sort(seconds.begin(), seconds.end());
    const std::size_t count = seconds.size();
    std::printf("kernel: median %.9f s, best %.9f s of %zu runs\n", (seconds[(count - 1) / 2] + seconds[count / 2]) / 2,
                seconds.front(), count);
    std::printf("peak memory: %ld KiB\n", peak_kib());
    return EXIT_SUCCESS;
  });
}

}  // namespace task_kernels
