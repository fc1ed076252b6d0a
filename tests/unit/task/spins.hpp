// SPDX-License-Identifier: Apache-2.0
// Tasks that last a known time, and what is measured of them.
#pragma once

#include <gtest/gtest.h>
#include <time.h>

#include <algorithm>
#include <cmath>

#include <steelyard/work_span.hpp>

namespace task_tests {

/// Milliseconds that the calling thread has had a processor.
inline double used() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) * 1e-6;
}

/// Uses so many milliseconds, or somewhat more: how many.
inline double spin(double wanted) {
  const double before = used();
  double now = before;
  while (now - before < wanted) now = used();
  return now - before;
}

/// Work and span of a program in milliseconds, computed from how long its tasks have lasted.
struct known {
  double work, span;
};

inline bool is_near(double found, double expected) { return std::abs(found - expected) <= 0.5 + 0.05 * expected; }

/// What is measured of run() is what it returns. Three tries, as other programs may make a try useless.
template <class F>
void expect_measured(F run) {
  steelyard::work_span found{};
  known expected{};
  double work = 0, span = 0;
  for (int i = 0; i < 3; ++i) {
    found = steelyard::measure_work_span([&] { expected = run(); });
    work = static_cast<double>(found.work.count()) * 1e-6;
    span = static_cast<double>(found.span.count()) * 1e-6;
    if (is_near(work, expected.work) && is_near(span, expected.span)) return;
  }
  ADD_FAILURE() << "work " << work << " ms, not " << expected.work << "; span " << span << " ms, not " << expected.span;
}

}  // namespace task_tests
