// SPDX-License-Identifier: Apache-2.0
// dataflow-serial: calls.
#include "kernels.hpp"

namespace {

using namespace dataflow_kernels;

struct calls {
  template <class T>
  using shared = object<T>;
  static constexpr std::uint64_t most_in_flight = 0;
  static constexpr bool begins_in_run = true;

  template <class F>
  void run(F f) {
    f();
  }
  template <class F, class... A>
  void fork(F f, A... accesses) {
    f(value_of(accesses)...);
  }
  void fib(int n, shared<long>& result) { *result = number(n); }

 private:
  static long number(int n) { return n < 2 ? n : number(n - 1) + number(n - 2); }
};

}  // namespace

int main(int argc, char** argv) {
  request wanted;
  wanted.parse(argc, argv, "A dataflow kernel in serial");
  calls flow;
  return run(wanted, flow);
}
