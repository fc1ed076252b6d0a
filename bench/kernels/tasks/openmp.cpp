// SPDX-License-Identifier: Apache-2.0
// tasks-openmp: task and taskwait.
#include <omp.h>

#include "program.hpp"

namespace {

struct omp_tasks {
  static int fib(int n) {
    if (n < 2) return n;
    int first = 0, second = 0;
#pragma omp task shared(second) firstprivate(n)
    second = fib(n - 2);
    first = fib(n - 1);
#pragma omp taskwait
    return first + second;
  }
  template <class F>
  static std::int64_t sum(int n, const F& f) {
    std::vector<std::int64_t> parts(static_cast<std::size_t>(n));
    for (int i = 0; i < n; ++i) {
#pragma omp task shared(parts, f) firstprivate(i)
      parts[static_cast<std::size_t>(i)] = f(i);
    }
#pragma omp taskwait
    return task_kernels::total(parts);
  }
};

}  // namespace

int main(int argc, char** argv) {
  task_kernels::request wanted;
  wanted.parse(argc, argv, "A task kernel on OpenMP");
  omp_set_dynamic(0);
  omp_set_num_threads(static_cast<int>(wanted.threads));
  return measure(wanted, [&] {
    std::int64_t found = 0;
#pragma omp parallel
#pragma omp single
    found = run<omp_tasks>(*wanted.what, static_cast<int>(wanted.size));
    return found;
  });
}
