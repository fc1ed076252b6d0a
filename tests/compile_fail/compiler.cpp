// SPDX-License-Identifier: Apache-2.0
// How programs are compiled, and what they include.

#if CASE == 1  // -std=c++17: Steelyard's C++ interface needs C++20: compile with -std=c++20
#include <steelyard/loop.hpp>
#elif CASE == 2  // -std=c++17: Steelyard's C++ interface needs C++20: compile with -std=c++20
#include <steelyard/dataflow.hpp>
#elif CASE == 3  // -fno-exceptions: Steelyard passes exceptions on: compile without -fno-exceptions
#include <steelyard/task.hpp>
#elif CASE == 4  // -fno-rtti: -
#include <steelyard/dataflow.hpp>
#include <steelyard/loop.hpp>
#include <steelyard/task.hpp>
#elif CASE == 5  // 'parallel_for' is not a member of | no member named 'parallel_for'
#include <steelyard/task.hpp>
void wrong() {
  steelyard::parallel_for(0, 10, [](int) {});
}
#elif CASE == 6  // 'join' is not a member of | no member named 'join'
#include <steelyard/loop.hpp>
void wrong() {
  steelyard::join([] {}, [] {});
}
#elif CASE == 7  // 'fork_task' is not a member of | no member named 'fork_task'
#include <steelyard/task.hpp>
void wrong() {
  steelyard::fork_task([] {});
}
#endif
