// SPDX-License-Identifier: Apache-2.0
// tasks-openmp: task and taskwait.
#include <omp.h>

#include "program.hpp"

namespace {

struct omp_tasks : task_kernels::sum_of_parts<omp_tasks> {
  static int fib(int n) {
    if (n < 2) return n;
    int first = 0, second = 0;
#pragma omp task shared(second) firstprivate(n)
    second = fib(n - 2);
    first = fib(n - 1);
#pragma omp taskwait
    return first + second;
  }
  template <class F, class G>
  static void both(const F& f, const G& g) {
#pragma omp task shared(g)
    g();
    f();
#pragma omp taskwait
  }
  template <class F>
  static void each(int n, const F& f) {
    for (int i = 0; i < n; ++i) {
#pragma omp task shared(f) firstprivate(i)
      f(i);
    }
#pragma omp taskwait
  }
};

}  // namespace

int main(int argc, char** argv) {
  task_kernels::request wanted;
  wanted.parse(argc, argv, "A task kernel on OpenMP");
  omp_set_dynamic(0);
  omp_set_num_threads(static_cast<int>(wanted.threads));
  return measure<omp_tasks>(wanted, [](const auto& f) {
#pragma omp parallel
#pragma omp single
    f();
  });
}
