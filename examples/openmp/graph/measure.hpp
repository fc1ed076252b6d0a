// SPDX-License-Identifier: Apache-2.0
// The course of every graph program: time the kernel a number of times and check each result.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <optional>
#include <vector>

#include <omp.h>

#include "program.hpp"

namespace graph {

// kernel() is timed, print(result) tells about the first result, and check(serial(), result) is the exit status that
// report_wrong gives a wrong one. serial() is called once and not timed.
template <class Kernel, class Print, class Serial, class Check>
int measure(const program& options, Kernel kernel, Print print, Serial serial, Check check) {
  run_times times{};
  std::optional<decltype(serial())> expected;
  int status = EXIT_SUCCESS;
  for (long i = 0; i < options.repeat && status == EXIT_SUCCESS; ++i) {
    const double start = omp_get_wtime();
    const auto result = kernel();
    report_add(&times, omp_get_wtime() - start);
    if (i == 0) print(result);
    if (options.no_verify) continue;
    if (!expected) expected = serial();
    status = check(*expected, result);
  }
  report_print(&times);
  if (status != EXIT_SUCCESS) return status;
  return options.no_verify ? report_not_verified() : report_verified();
}

// The check of a result with one whole number for each vertex.
template <class Number>
int check_equal(const char* what, const std::vector<Number>& expected, const std::vector<Number>& result) {
  for (std::size_t v = 0; v < expected.size(); ++v)
    if (result[v] != expected[v])
      return report_wrong("vertex %zu has %s %lld, the serial one is %lld", v, what, static_cast<long long>(result[v]),
                          static_cast<long long>(expected[v]));
  return EXIT_SUCCESS;
}

}  // namespace graph
