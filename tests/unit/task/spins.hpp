// SPDX-License-Identifier: Apache-2.0
// Tasks that last a made-up time, and what is measured of them.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>

#include <steelyard/work_span.hpp>

#include "../made_up_clock.hpp"

namespace task_tests {

/// Uses so many milliseconds.
inline double spin(double wanted) {
  made_up_clock::work(std::chrono::nanoseconds(std::llround(wanted * 1e6)));
  return wanted;
}

/// Work and span of a program in milliseconds, computed from how long its tasks last.
struct known {
  double work, span;
};

/// What is measured of run() is what it returns, to the nanosecond.
template <class F>
void expect_measured(F run) {
  known expected{};
  const auto found = steelyard::measure_work_span([&] { expected = run(); });
  EXPECT_EQ(found.work.count(), std::llround(expected.work * 1e6));
  EXPECT_EQ(found.span.count(), std::llround(expected.span * 1e6));
}

}  // namespace task_tests
