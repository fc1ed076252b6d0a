// SPDX-License-Identifier: Apache-2.0
// tasks-serial: calls.
#include "program.hpp"

namespace {

using task_kernels::calls;

// Counts what would be a task.
struct counted : calls {
  static inline std::int64_t tasks = 0;

  static int fib(int n) {
    if (n < 2) return n;
    ++tasks;
    return fib(n - 1) + fib(n - 2);
  }
  template <class F, class G>
  static void both(const F& f, const G& g) {
    ++tasks;
    calls::both(f, g);
  }
  template <class F>
  static void each(int n, const F& f) {
    tasks += n;
    calls::each(n, f);
  }
  template <class F>
  static std::int64_t sum(int n, const F& f) {
    tasks += n;
    return calls::sum(n, f);
  }
};

}  // namespace

int main(int argc, char** argv) {
  task_kernels::request wanted;
  wanted.parse(argc, argv, "A task kernel in serial");
  const auto enter = [](const auto& f) { f(); };
  if (wanted.count == 0) return measure<calls>(wanted, enter);
  wanted.repeat = 1;
  const int status = measure<counted>(wanted, enter);
  std::printf("tasks: %lld\n", static_cast<long long>(counted::tasks));
  return status;
}
