// SPDX-License-Identifier: Apache-2.0
// tasks-tbb: parallel_invoke and task_group.
#include <tbb/global_control.h>
#include <tbb/parallel_invoke.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include "program.hpp"

namespace {

struct tbb_tasks : task_kernels::sum_of_parts<tbb_tasks> {
  static int fib(int n) {
    if (n < 2) return n;
    int first = 0, second = 0;
    tbb::parallel_invoke([&first, n] { first = fib(n - 1); }, [&second, n] { second = fib(n - 2); });
    return first + second;
  }
  template <class F, class G>
  static void both(const F& f, const G& g) {
    tbb::parallel_invoke(f, g);
  }
  template <class F>
  static void each(int n, const F& f) {
    tbb::task_group group;
    for (int i = 0; i < n; ++i) {
      group.run([&f, i] { f(i); });
    }
    group.wait();
  }
};

}  // namespace

int main(int argc, char** argv) {
  task_kernels::request wanted;
  wanted.parse(argc, argv, "A task kernel on oneTBB");
  const tbb::global_control most(tbb::global_control::max_allowed_parallelism,
                                 static_cast<std::size_t>(wanted.threads));
  tbb::task_arena arena(static_cast<int>(wanted.threads));
  return measure<tbb_tasks>(wanted, [&arena](const auto& f) { arena.execute(f); });
}
