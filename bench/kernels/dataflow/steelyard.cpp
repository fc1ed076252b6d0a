// SPDX-License-Identifier: Apache-2.0
// dataflow-steelyard: fork_task.
#include <steelyard/dataflow.hpp>
#include <steelyard/pool.hpp>

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
  return status;
}
