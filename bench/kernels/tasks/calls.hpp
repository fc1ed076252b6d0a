// SPDX-License-Identifier: Apache-2.0
// The kernels are over a policy; this one calls.
#pragma once

#include <cstdint>
#include <numeric>
#include <vector>

namespace task_kernels {

// What a policy `Tasks` has to offer.
struct calls {
  // The n-th number of Fibonacci, a task for each addition, as one would write it there. Compilers must not see that two of the
  // calls inside are the same.
  static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
  // f() and g(), one of them a task.
  template <class F, class G>
  static void both(const F& f, const G& g) {
    f();
    g();
  }
  // f(0) … f(n-1), each a task.
  template <class F>
  static void each(int n, const F& f) {
    for (int i = 0; i < n; ++i) f(i);
  }
  // f(0) + … + f(n-1), each a task, of std::int64_t.
  template <class F>
  static std::int64_t sum(int n, const F& f) {
    std::int64_t all = 0;
    for (int i = 0; i < n; ++i) all += f(i);
    return all;
  }
};

// `sum` where only `Each::each` is there.
template <class Each>
struct sum_of_parts {
  template <class F>
  static std::int64_t sum(int n, const F& f) {
    std::vector<std::int64_t> parts(static_cast<std::size_t>(n));
    Each::each(n, [&parts, &f](int i) { parts[static_cast<std::size_t>(i)] = f(i); });
    return std::accumulate(parts.begin(), parts.end(), std::int64_t{0});
  }
};

}  // namespace task_kernels
