// SPDX-License-Identifier: Apache-2.0
// tasks-tbb: parallel_invoke and task_group.
#include <tbb/global_control.h>
#include <tbb/parallel_invoke.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include "program.hpp"

namespace {

struct tbb_tasks {
  static int fib(int n) {
    if (n < 2) return n;
    int first = 0, second = 0;
    tbb::parallel_invoke([&first, n] { first = fib(n - 1); }, [&second, n] { second = fib(n - 2); });
    return first + second;
  }
  template <class F>
  static std::int64_t sum(int n, const F& f) {
    std::vector<std::int64_t> parts(static_cast<std::size_t>(n));
    tbb::task_group group;
    for (int i = 0; i < n; ++i) {
      group.run([&parts, &f, i] { parts[static_cast<std::size_t>(i)] = f(i); });
    }
    group.wait();
    return task_kernels::total(parts);
  }
};

}  // namespace

int main(int argc, char** argv) {
  task_kernels::request wanted;
  wanted.parse(argc, argv, "A task kernel on oneTBB");
  const tbb::global_control most(tbb::global_control::max_allowed_parallelism,
                                 static_cast<std::size_t>(wanted.threads));
  tbb::task_arena arena(static_cast<int>(wanted.threads));
  return measure(wanted, [&] {
    return arena.execute([&] { return run<tbb_tasks>(*wanted.what, static_cast<int>(wanted.size)); });
  });
}
