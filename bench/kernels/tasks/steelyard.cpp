// SPDX-License-Identifier: Apache-2.0
// tasks-steelyard: join.
#include <steelyard/pool.hpp>
#include <steelyard/task.hpp>

#include "../requests.hpp"
#include "program.hpp"

namespace {

struct joins {
  static int fib(int n) {
    if (n < 2) return n;
    const auto [first, second] = steelyard::join([n] { return fib(n - 1); }, [n] { return fib(n - 2); });
    return first + second;
  }
  static int fib_by_reference(int n) {
    if (n < 2) return n;
    int first = 0;
    int second = 0;
    steelyard::join([&] { first = fib_by_reference(n - 1); }, [&] { second = fib_by_reference(n - 2); });
    return first + second;
  }
  template <class F, class G>
  static void both(const F& f, const G& g) {
    steelyard::join(f, g);
  }
  template <class F>
  static void each(int n, const F& f) {
    steelyard::join_each(static_cast<std::size_t>(n), [&f](std::size_t i) { f(static_cast<int>(i)); });
  }
  template <class F>
  static std::int64_t sum(int n, const F& f) {
    return steelyard::join_reduce(static_cast<std::size_t>(n), std::int64_t{0},
                                  [&f](std::size_t i) { return f(static_cast<int>(i)); });
  }
};

}  // namespace

int main(int argc, char** argv) {
  task_kernels::request wanted;
  wanted.parse(argc, argv, "A task kernel on Steelyard");
  const steelyard::pool pool(static_cast<std::uint32_t>(wanted.threads));
  struct context {
    const task_kernels::request& wanted;
    int status;
  } here{wanted, 0};
  steelyard_pool_run(
      pool.handle(),
      [](void* at) {
        auto& it = *static_cast<context*>(at);
        const steelyard::task_group inside;  // one entry for all runs
        it.status = measure<joins>(it.wanted, [](const auto& f) { f(); });
      },
      &here);
  steelyard_task_counts counts{};
  steelyard_pool_task_counts(pool.handle(), &counts);
  std::printf("counter steals: %llu\n", static_cast<unsigned long long>(counts.stolen));
  print_requests(pool);
  return here.status;
}
