// SPDX-License-Identifier: Apache-2.0
// The recursive function as the inventors of dataflow tasks wrote it: nobody waits, a third task adds what two others leave.
// Danjean, "Scheduling parallel program with work stealing"; a1::Fork<Sum>()(…) is fork_task(sum(), …) here.
#include <cstdio>
#include <cstdlib>
#include <steelyard/dataflow.hpp>
#include <utility>

using steelyard::fork_task, steelyard::r, steelyard::shared, steelyard::w;

struct sum {
  void operator()(w<long> result, r<long> sr1, r<long> sr2) const { *result = *sr1 + *sr2; }
};

struct fibonacci {
  void operator()(int n, w<long> result) const {
    if (n < 2) {
      *result = n;
    } else {
      shared<long> subresult1;
      shared<long> subresult2;
      fork_task(fibonacci(), n - 1, subresult1);
      fork_task(fibonacci(), n - 2, subresult2);
      fork_task(sum(), result, subresult1, subresult2);
    }
  }
};

// Of 20 unless told.
int main(int count, char** values) {
  const int n = count > 1 ? std::atoi(values[1]) : 20;
  shared<long> result;
  fork_task(fibonacci(), n, result);
  steelyard::sync_tasks();
  long before = 0, expected = 1;
  for (int i = 1; i < n; ++i) expected += std::exchange(before, expected);
  if (n < 2) expected = n;
  std::printf("fib(%d) = %ld\n", n, *result);
  return *result == expected ? 0 : 1;
}
