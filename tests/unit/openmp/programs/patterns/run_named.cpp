// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "pattern.hpp"

namespace patterns {

sizes size;

// [--n N] [--rounds R] [--work W] [--time] [NAME…]
int run_named(const std::vector<pattern>& all, int argc, char** argv) {
  bool timed = false;
  int named = 1;
  for (; named < argc && argv[named][0] == '-'; ++named) {
    if (std::strcmp(argv[named], "--time") == 0) {
      timed = true;
      continue;
    }
    if (named + 1 == argc) return 2;
    const char* const option = argv[named++];
    const long value = std::atol(argv[named]);
    if (std::strcmp(option, "--n") == 0) size.n = value;
    if (std::strcmp(option, "--rounds") == 0) size.rounds = static_cast<int>(value);
    if (std::strcmp(option, "--work") == 0) size.work = value;
  }
  for (const pattern& each : all) {
    bool wanted = named == argc;
    for (int a = named; a < argc; ++a) wanted = wanted || std::strcmp(argv[a], each.name) == 0;
    if (!wanted) continue;
    outcome of;
    const auto began = std::chrono::steady_clock::now();
    each.run(of);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
    std::printf("%s %016llx %.17g %ld %ld", each.name, static_cast<unsigned long long>(of.digest), of.sum, of.first(),
                of.last());
    if (timed) std::printf(" %.6f s", took.count());
    std::printf("\n");
    std::fflush(stdout);
  }
  return 0;
}

}  // namespace patterns
