// SPDX-License-Identifier: Apache-2.0
// tasks-serial: calls.
#include "program.hpp"

namespace {

struct calls {
  template <class F, class G>
  std::int64_t both(F f, G g) {
    return f() + g();
  }
  template <class F>
  std::int64_t sum(int n, const F& f) {
    std::int64_t all = 0;
    for (int i = 0; i < n; ++i) all += f(i);
    return all;
  }
};

}  // namespace

int main(int argc, char** argv) {
  task_kernels::request wanted;
  wanted.parse(argc, argv, "A task kernel in serial");
  calls tasks;
  return measure(wanted, [&] { return run(tasks, *wanted.what, static_cast<int>(wanted.size)); });
}
