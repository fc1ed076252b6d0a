// SPDX-License-Identifier: Apache-2.0
#include <steelyard/dataflow.hpp>
#include <string>

using namespace steelyard;

void add(rw<int> to, int what) { *to += what; }

void right(shared<int>& number) {
  fork_task(add, number, 1);
  fork_task([](r<int>, const std::string&) {}, number, "text");
}

#if CASE == 1  // a task is a function, or an object with one operator() that is no template
void wrong(shared<int>& number) {
  fork_task([](auto x) { *x = 1; }, number);
}
#elif CASE == 2   // a task is a function, or an object with one operator() that is no template
void wrong() { fork_task(42); }
#elif CASE == 3   // a task gets r<T>, w<T> or the like, not the object itself
void wrong(shared<int>& number) {
  fork_task([](shared<int>&) {}, number);
}
#elif CASE == 4   // a task returns nothing
void wrong(shared<int>& number) {
  fork_task([](r<int> x) { return *x; }, number);
}
#elif CASE == 5   // a task's parameters are values
void wrong(int& number) {
  fork_task([](int& x) { ++x; }, number);
}
#elif CASE == 6   // a task gets as many arguments as it has parameters
void wrong(shared<int>& number) { fork_task(add, number); }
#elif CASE == 7   // a parameter of the task is not made of its argument
void wrong(const shared<int>& number) { fork_task(add, number, 1); }
#elif CASE == 8   // a parameter of the task is not made of its argument
void wrong(shared<std::string>& text) { fork_task(add, text, 1); }
#elif CASE == 9   // a parameter of the task is not made of its argument
void wrong(shared<int>& number) {
  fork_task([](r<int> it) { fork_task(add, it, 1); }, number);
}
#elif CASE == 10  // a parameter of the task is not made of its argument
void wrong() {
  int number = 0;
  fork_task(add, number, 1);
}
#endif
