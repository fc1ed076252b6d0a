// SPDX-License-Identifier: Apache-2.0
// The n-th number of Fibonacci, the test of what a task costs that Kaapi's authors use. A runtime whose tasks may fork tasks offers
//   flow.fib(n, result)      forks whatever computes it, with as many tasks as there are calls and additions
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "program.hpp"

namespace dataflow_kernels {

template <class Flow>
concept has_fib = requires(Flow& flow, typename Flow::template shared<long>& result) {
  flow.fib(1, result);
};

template <class Flow>
class fib {
 public:
  static constexpr double most_error = 0;
  static constexpr long most = 45;

  explicit fib(const request& wanted) : n_(static_cast<int>(wanted.size)) {
    if (wanted.size > most) bad_input("--size %ld: fib of more than %ld takes too long", wanted.size, most);
  }
  void prepare() { *result_ = 0; }
  double run(Flow& flow) {
    return seconds_of([&] { flow.run([&] { flow.fib(n_, result_); }); });
  }
  // Calls, and an addition in each that calls two more.
  [[nodiscard]] std::uint64_t tasks() const {
    const std::uint64_t additions = number(n_ + 1) - 1;
    return 3 * additions + 1;
  }
  [[nodiscard]] std::uint64_t result() const { return static_cast<std::uint64_t>(*result_); }
  [[nodiscard]] double error() const { return result() == number(n_) ? 0 : 1; }

 private:
  static std::uint64_t number(int n) {
    std::uint64_t before = 1, here = 0;
    for (int i = 0; i < n; ++i) before = std::exchange(here, here + before);
    return here;
  }

  int n_;
  typename Flow::template shared<long> result_{};
};

}  // namespace dataflow_kernels
