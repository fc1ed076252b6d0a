// SPDX-License-Identifier: Apache-2.0
// tasks-serial: calls.
#include "program.hpp"

namespace {

struct calls {
  // Compilers must not see that two of the calls inside are the same.
  static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }

  template <class F>
  static std::int64_t sum(int n, const F& f) {
    std::int64_t all = 0;
    for (int i = 0; i < n; ++i) all += f(i);
    return all;
  }
};

}  // namespace

int main(int argc, char** argv) {
  task_kernels::request wanted;
  wanted.parse(argc, argv, "A task kernel in serial");
  return measure(wanted, [&] { return run<calls>(*wanted.what, static_cast<int>(wanted.size)); });
}
