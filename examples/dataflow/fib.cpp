// SPDX-License-Identifier: Apache-2.0
// The recursive function as its inventors of dataflow tasks wrote it: nobody waits, a third task adds what two others leave.
#include <cstdio>
#include <steelyard/dataflow.hpp>

using steelyard::fork_task, steelyard::r, steelyard::shared, steelyard::w, steelyard::wp;

void store(long value, w<long> into) { *into = value; }
void add(r<long> a, r<long> b, w<long> sum) { *sum = *a + *b; }

// It does not write `result` itself, but passes that on: wp.
void fib(int n, wp<long> result) {
  if (n < 2) return fork_task(store, n, result);
  shared<long> a(0), b(0);
  fork_task(fib, n - 1, a);
  fork_task(fib, n - 2, b);
  fork_task(add, a, b, result);
}

int main() {
  shared<long> result(0);
  fork_task(fib, 20, result);
  steelyard::sync_tasks();
  std::printf("fib(20) = %ld\n", *result);
  return *result == 6765 ? 0 : 1;
}
