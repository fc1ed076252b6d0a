// SPDX-License-Identifier: Apache-2.0
// dataflow-openmp: task depend.
#include <omp.h>

#include "kernels.hpp"

namespace {

using namespace dataflow_kernels;

struct depends {
  template <class T>
  using shared = object<T>;
  // Of libgomp, for each thread; libomp's is 256.
  static constexpr std::uint64_t most_in_flight = 64;
  static constexpr bool begins_in_run = true;

  template <class F>
  void run(F f) {
#pragma omp parallel
#pragma omp single
    f();
  }

  template <class F, class... A>
  void fork(F f, const A&... accesses) {
    constexpr int reads = (0 + ... + is_read<A>), changes = (0 + ... + is_change<A>);
    const auto task = task_of(f, accesses...);
    const char* in[reads + 1];
    const char* out[changes + 1];
    const char** next_in = in;
    const char** next_out = out;
    (put(accesses, next_in, next_out), ...);
    if constexpr (reads == 0 && changes == 1) {
#pragma omp task firstprivate(task) depend(inout : out[0][0])
      task();
    } else if constexpr (reads == 1 && changes == 1) {
#pragma omp task firstprivate(task) depend(in : in[0][0]) depend(inout : out[0][0])
      task();
    } else if constexpr (reads == 2 && changes == 1) {
#pragma omp task firstprivate(task) depend(in : in[0][0], in[1][0]) depend(inout : out[0][0])
      task();
    } else {
      static_assert(reads == 0 && changes == 2, "the clause lists them");
#pragma omp task firstprivate(task) depend(inout : out[0][0], out[1][0])
      task();
    }
  }
  void fib(int n, shared<long>& result) { put_number(n, *result); }

 private:
  // Clauses order only the tasks of one task, so each waits for its own before what they share goes.
  static void put_number(int n, long& result) {
    if (n < 2) {
      result = n;
      return;
    }
    long first = 0, second = 0;
#pragma omp task shared(first) depend(out : first)
    put_number(n - 1, first);
#pragma omp task shared(second) depend(out : second)
    put_number(n - 2, second);
#pragma omp task shared(first, second, result) depend(in : first, second)
    result = first + second;
#pragma omp taskwait
  }
  template <class A>
  static void put(const A& access, const char**& in, const char**& out) {
    if constexpr (is_read<A>) *in++ = static_cast<const char*>(address_of(access));
    if constexpr (is_change<A>) *out++ = static_cast<const char*>(address_of(access));
  }
};

}  // namespace

int main(int argc, char** argv) {
  request wanted;
  wanted.parse(argc, argv, "A dataflow kernel on OpenMP");
  omp_set_dynamic(0);
  omp_set_num_threads(static_cast<int>(wanted.threads));
  depends flow;
  return run(wanted, flow);
}
