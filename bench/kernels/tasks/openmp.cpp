// SPDX-License-Identifier: Apache-2.0
// tasks-openmp: task and taskwait.
#include <omp.h>

#include "program.hpp"

namespace {

struct omp_tasks {
  template <class F, class G>
  std::int64_t both(F f, G g) {
    std::int64_t second = 0;
#pragma omp task shared(second) firstprivate(g)
    second = g();
    const std::int64_t first = f();
#pragma omp taskwait
    return first + second;
  }
  template <class F>
  std::int64_t sum(int n, const F& f) {
    std::vector<std::int64_t> parts(static_cast<std::size_t>(n));
    for (int i = 0; i < n; ++i) {
#pragma omp task shared(parts, f) firstprivate(i)
      parts[static_cast<std::size_t>(i)] = f(i);
    }
#pragma omp taskwait
    std::int64_t all = 0;
    for (const auto part : parts) all += part;
    return all;
  }
};

}  // namespace

int main(int argc, char** argv) {
  task_kernels::request wanted;
  wanted.parse(argc, argv, "A task kernel on OpenMP");
  omp_set_dynamic(0);
  omp_set_num_threads(static_cast<int>(wanted.threads));
  omp_tasks tasks;
  return measure(wanted, [&] {
    std::int64_t found = 0;
#pragma omp parallel
#pragma omp single
    found = run(tasks, *wanted.what, static_cast<int>(wanted.size));
    return found;
  });
}
