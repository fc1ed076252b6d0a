// SPDX-License-Identifier: Apache-2.0
#include <steelyard/dataflow.hpp>

using namespace steelyard;

struct square {
  void operator()(int& to, int by) const { to *= by; }
};

void right(shared<int>& number) {
  fork_task([](w<int> it) { fork_task([](w<int>, wp<int>) {}, it, it); }, number);
  fork_task([](rw<int> it) { fork_task([](r<int>, w<int>, rw<int>, cw<int>) {}, it, it, it, it); }, number);
  fork_task([](rw<int> it) { fork_task([](rp<int>, wp<int>, rwp<int>, cwp<int>) {}, it, it, it, it); }, number);
  fork_task([](r<int> it) { fork_task([](r<int>, rp<int>) {}, it, it); }, number);
  fork_task([](cw<int> it) { fork_task([](cw<int>, cwp<int>) {}, it, it); }, number);
}

#if CASE == 1  // a parameter of the task is not made of its argument
void wrong(shared<int>& number) {
  fork_task([](w<int> it) { fork_task([](r<int>) {}, it); }, number);
}
#elif CASE == 2  // a parameter of the task is not made of its argument
void wrong(shared<int>& number) {
  fork_task([](w<int> it) { fork_task([](rw<int>) {}, it); }, number);
}
#elif CASE == 3  // a parameter of the task is not made of its argument
void wrong(shared<int>& number) {
  fork_task([](r<int> it) { fork_task([](w<int>) {}, it); }, number);
}
#elif CASE == 4  // a parameter of the task is not made of its argument
void wrong(shared<int>& number) {
  fork_task([](cw<int> it) { fork_task([](cw<int, square>) {}, it); }, number);
}
#elif CASE == 5  // a parameter of the task is not made of its argument
void wrong(shared<int>& number) {
  fork_task([](wp<int> it) { fork_task([](rwp<int>) {}, it); }, number);
}
#endif
