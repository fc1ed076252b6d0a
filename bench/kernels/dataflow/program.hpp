// SPDX-License-Identifier: Apache-2.0
// The course of the dataflow programs: time a kernel, look at its result. Output, one fact a line:
//   cholesky 2048: 816 tasks, result 0123456789abcdef
//   error: 1.2e-16               (--verify)
//   kernel: median 0.012345678 s, best 0.012345678 s of 3 runs
//   counter stolen: 12           (of all runs; what the runtime or the kernel tells)
#pragma once

#include <chrono>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "common/arguments.h"

namespace dataflow_kernels {

// n of a kernel's input, and the side of its blocks.
struct kernel_sizes {
  std::string_view name;
  long size, tile;
};
inline constexpr kernel_sizes kernels[] = {
    {"chain", 1'000'000, 1}, {"stolen", 200'000, 1},          {"flight", 1'000'000, 1}, {"cholesky", 2048, 128},
    {"lu", 2048, 128},       {"smith-waterman", 20'000, 250}, {"sparse-lu", 50, 1},     {"fib", 27, 1}};

struct request {
  std::string_view kernel;
  long size = 0;
  long tile = 0;
  long threads = 1;
  long repeat = 3;
  long work = 0;
  int verify = 0;

  void parse(int argc, char** argv, const char* summary);
};

[[noreturn]] void wrong(const char* what);
void print_counter(const char* name, std::uint64_t value);
// Memory of this process that the system has given it.
std::uint64_t resident_bytes();

template <class F>
double seconds_of(F f) {
  const auto began = std::chrono::steady_clock::now();
  f();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
}

void print_result(const request& wanted, std::uint64_t tasks, std::uint64_t result);
void print_error(double error, double most);
void print_seconds(std::vector<double> seconds);

// Of a kernel: prepare() makes the input anew, run(flow) returns seconds, result() is the same after each.
template <class Kernel, class Flow>
int measure(const request& wanted, Flow& flow) {
  Kernel kernel(wanted);
  std::vector<double> seconds;
  std::uint64_t result = 0;
  for (long run = 0; run < wanted.repeat; ++run) {
    kernel.prepare();
    seconds.push_back(kernel.run(flow));
    if (run != 0 && kernel.result() != result) wrong("two runs have different results");
    result = kernel.result();
  }
  print_result(wanted, kernel.tasks(), result);
  if (wanted.verify != 0) print_error(kernel.error(), Kernel::most_error);
  print_seconds(std::move(seconds));
  if constexpr (requires { kernel.report(); }) kernel.report();
  return 0;
}

}  // namespace dataflow_kernels
