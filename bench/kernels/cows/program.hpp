// SPDX-License-Identifier: Apache-2.0
// The course of cows-serial, cows-openmp, cows-tbb and cows-steelyard: load a graph, time a kernel, compare it with the
// serial one. Output, one fact a line:
//   kc youtube/8: 141250 vertices, 372500 edges, maximum degree 28800
//   rounds 4, loops 25, result 0123456789abcdef
//   run 1: 0.012345678 s …
//   kernel: median 0.012345678 s, best 0.012345678 s of 3 runs
//   verified | not verified
#pragma once

#include <malloc.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <string>
#include <vector>

#include "common/arguments.h"
#include "graph/program.hpp"
#include "graph_file.hpp"
#include "kernels.hpp"
#include "serial.hpp"

namespace cows {

struct request {
  const char* kernel = nullptr;
  const char* graph = nullptr;
  long threads = 1;
  long repeat = 3;
  int verify = 0;

  // Fills this and the targets of the program's own options.
  void parse(int argc, char** argv, const char* summary, const std::vector<argument>& own = {}) {
    std::vector<argument> table{
        argument_text("--kernel", "NAME", "kc, le, bfs, bf, ds, pr or cc", &kernel),
        argument_text("--graph", "FILE", "a graph that cows-graph made", &graph),
        argument_number("--threads", "threads, the program's own included; at most", 1, 4096, &threads),
        argument_number("--repeat", "timed runs", 1, 1000, &repeat),
        argument_flag("--verify", "compares each result with that of the serial kernel", &verify)};
    table.insert(table.end(), own.begin(), own.end());
    arguments_parse(argc, argv, summary, table.data(), table.size());
    if (kernel == nullptr) bad_input("no kernel: give --kernel NAME, one of kc, le, bfs, bf, ds, pr, cc");
    if (graph == nullptr) bad_input("no graph: give --graph FILE, made by cows-graph");
  }
};

// FNV-1a over the words.
inline std::uint64_t digest(const std::vector<std::uint64_t>& values) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const std::uint64_t value : values) hash = (hash ^ value) * 0x100000001b3u;
  return hash;
}

inline void print_graph(const char* kernel, const named_graph& given) {
  std::uint64_t most = 0;
  for (vertex v = 0; v < given.graph.vertex_count(); ++v) most = std::max(most, given.graph.degree(v));
  std::printf("%s %s: %u vertices, %llu edges, maximum degree %llu\n", kernel, given.name.c_str(),
              given.graph.vertex_count(), static_cast<unsigned long long>(given.graph.edge_count() / 2),
              static_cast<unsigned long long>(most));
}

inline void print_times(std::vector<double> seconds) {
  for (std::size_t i = 0; i < seconds.size(); ++i) std::printf("run %zu: %.9f s\n", i + 1, seconds[i]);
  std::sort(seconds.begin(), seconds.end());
  const std::size_t count = seconds.size();
  std::printf("kernel: median %.9f s, best %.9f s of %zu runs\n", (seconds[(count - 1) / 2] + seconds[count / 2]) / 2,
              seconds.front(), count);
}

// What reading costs has taken, as a part of the loops that have them, in the second half of the runs: each body's first two
// loops read whatever that takes.
inline void print_overheads(const std::vector<double>& parts, const std::vector<double>& known) {
  if (parts.empty()) return;
  const auto half = parts.begin() + static_cast<std::ptrdiff_t>(parts.size() / 2);
  std::printf("reading costs: %.6f of the loops with costs, mean of runs %td to %zu\n",
              std::accumulate(half, parts.end(), 0.0) / static_cast<double>(parts.end() - half),
              half - parts.begin() + 1, parts.size());
  std::printf("counter costs known: %.6f\n",
              std::accumulate(known.begin(), known.end(), 0.0) / static_cast<double>(known.size()));
}

// Whether the result is what the serial kernel finds; if not, a line about the first difference.
inline bool same(const char* kernel, const outcome& expected, const outcome& found) {
  const auto [left, right] = std::mismatch(expected.values.begin(), expected.values.end(), found.values.begin());
  if (left == expected.values.end() && expected.rounds == found.rounds) return true;
  std::fflush(stdout);
  if (left == expected.values.end()) {
    std::fprintf(stderr, "WRONG: %s: %llu rounds, the serial kernel needs %llu\n", kernel,
                 static_cast<unsigned long long>(found.rounds), static_cast<unsigned long long>(expected.rounds));
  } else {
    std::fprintf(stderr, "WRONG: %s: vertex %td has %llx, the serial kernel finds %llx\n", kernel,
                 left - expected.values.begin(), static_cast<unsigned long long>(*right),
                 static_cast<unsigned long long>(*left));
  }
  return false;
}

// The memory that a run has freed serves the next one. Else the heap gives it back to the system, or does not, by what else
// lies there: runs of a millisecond take a tenth more where it does.
inline void keep_memory() {
#ifdef __GLIBC__
  mallopt(M_MMAP_MAX, 0);
  mallopt(M_TRIM_THRESHOLD, -1);
#endif
}

// Runs the kernel under the policy that make() returns anew for each run.
template <class Make>
int measure(const request& wanted, const named_graph& given, Make make) {
  keep_memory();
  using loops = decltype(make());
  const auto& kernel = find_kernel<loops>(wanted.kernel);
  print_graph(wanted.kernel, given);
  std::vector<double> seconds, overheads, known;
  outcome expected;
  for (long run = 0; run < wanted.repeat; ++run) {
    loops policy = make();
    const auto began = std::chrono::steady_clock::now();
    const outcome found = kernel.run(given.graph, policy);
    seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count());
    if constexpr (requires { policy.overhead(); }) overheads.push_back(policy.overhead());
    if constexpr (requires { policy.known(); }) known.push_back(policy.known());
    if (run == 0) {
      std::printf("rounds %llu, loops %llu, result %016llx\n", static_cast<unsigned long long>(found.rounds),
                  static_cast<unsigned long long>(policy.count), static_cast<unsigned long long>(digest(found.values)));
    }
    if (wanted.verify == 0) continue;
    if (run == 0) {
      serial_loops serial(given.graph);
      expected = find_kernel<serial_loops>(wanted.kernel).run(given.graph, serial);
    }
    if (!same(wanted.kernel, expected, found)) return EXIT_FAILURE;
  }
  print_times(seconds);
  print_overheads(overheads, known);
  std::puts(wanted.verify != 0 ? "verified" : "not verified");
  return EXIT_SUCCESS;
}

}  // namespace cows
