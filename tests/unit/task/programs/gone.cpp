// SPDX-License-Identifier: Apache-2.0
// A task that uses, by a reference, what has gone before it runs: AddressSanitizer finds it. Built with that, and to fail.
#include <steelyard/task.hpp>

int main() {
  int result = 0;
  steelyard::task_group group;
  {
    int number = 1;
    group.spawn([&] { result = number; });
  }
  group.wait();
  return result;
}
