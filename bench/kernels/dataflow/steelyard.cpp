// SPDX-License-Identifier: Apache-2.0
// dataflow-steelyard: fork_task.
#include <steelyard/dataflow.hpp>
#include <steelyard/pool.hpp>

#include "../requests.hpp"
#include "kernels.hpp"

namespace {

using namespace dataflow_kernels;

// The parameter that says what a task does with it, and what the body gets.
template <class A>
struct parameter {
  using type = A;
  static A give(A value) { return value; }
};
template <class User>
struct given {
  using type = User;
  static decltype(auto) give(const User& value) { return *value; }
};
template <part T>
struct parameter<reads<T>> : given<steelyard::r<T>> {};
template <part T>
struct parameter<changes<T>> : given<steelyard::rw<T>> {};
template <class T>
struct parameter<reads<steelyard::shared<T>*>> : given<steelyard::r<T>> {};
template <class T>
struct parameter<changes<steelyard::shared<T>*>> : given<steelyard::rw<T>> {};

template <class A>
decltype(auto) passed(const A& access) {
  if constexpr (is_read<A> || is_change<A>) {
    if constexpr (part<decltype(access.what)>) {
      return (access.what);
    } else {
      return (*access.what);
    }
  } else {
    return A(access);
  }
}

// As in examples/dataflow: nobody waits, a third task adds what two others leave.
struct add {
  void operator()(steelyard::w<long> result, steelyard::r<long> first, steelyard::r<long> second) const {
    *result = *first + *second;
  }
};
struct put_number {
  void operator()(int n, steelyard::w<long> result) const {
    if (n < 2) {
      *result = n;
      return;
    }
    steelyard::shared<long> first, second;
    steelyard::fork_task(put_number(), n - 1, first);
    steelyard::fork_task(put_number(), n - 2, second);
    steelyard::fork_task(add(), result, first, second);
  }
};

struct forks {
  template <class T>
  using shared = steelyard::shared<T>;
  static constexpr std::uint64_t most_in_flight = 0;
  static constexpr bool begins_in_run = true;

  template <class F>
  void run(F f) {
    f();
    steelyard::sync_tasks();
  }
  template <class F, class... A>
  void fork(F, const A&... accesses) {
    steelyard::fork_task([](typename parameter<A>::type... its) { F{}(parameter<A>::give(its)...); },
                         passed(accesses)...);
  }
  void fib(int n, shared<long>& result) { steelyard::fork_task(put_number(), n, result); }
};

}  // namespace

int main(int argc, char** argv) {
  request wanted;
  wanted.parse(argc, argv, "A dataflow kernel on Steelyard");
  steelyard::pool pool(static_cast<std::uint32_t>(wanted.threads));
  int status = 0;
  pool.run([&] {
    forks flow;
    status = run(wanted, flow);
  });
  steelyard_task_counts counts{};
  steelyard_pool_task_counts(pool.handle(), &counts);
  print_counter("stolen", counts.stolen);
  print_counter("analysed", counts.analysed);
  print_requests(pool);
  return status;
}
