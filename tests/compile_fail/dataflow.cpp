// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstddef>
#include <memory>
#include <steelyard/dataflow.hpp>
#include <string>
#include <utility>

using namespace steelyard;

void add(rw<int> to, int what) { *to += what; }

void right(shared<int>& number) {
  fork_task(add, number, 1);
  fork_task([](r<int>, const std::string&) {}, number, "text");
  auto own = std::make_unique<int>(1);
  fork_task([](std::unique_ptr<int>) {}, std::move(own));
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
#elif CASE == 11  // the task cannot be copied: write std::move(task), and fork it once
void wrong() {
  const auto task = [own = std::make_unique<int>(1)] {};
  fork_task(task);
}
#elif CASE == 12  // an argument cannot be copied: write std::move(argument)
void wrong(std::unique_ptr<int>& number) {
  fork_task([](std::unique_ptr<int>) {}, number);
}
#elif CASE == 13  // a parameter of the task is not made of its argument
void wrong() {
  fork_task([](rw<int>) {}, shared<int>(1));
}
#elif CASE == 14  // a task has at most 32 parameters r<T>, w<T> and the like
template <std::size_t... I>
void wrong(std::array<r<int>, 33> all, std::index_sequence<I...>) {
  fork_task([](decltype(r<int>(all[I]))...) {}, all[I]...);
}
void wrong(const std::array<r<int>, 33>& all) { wrong(all, std::make_index_sequence<33>{}); }
#elif CASE == 15  // assignment of read-only location | cannot assign to return value
void wrong(shared<int>& number) {
  fork_task([](r<int> it) { *it = 1; }, number);
}
#elif CASE == 16  // *x is for r, w and rw: a cw<T> has x.add(value), and rp, wp, rwp and cwp only pass on
void wrong(shared<int>& number) {
  fork_task([](cw<int> it) { *it += 1; }, number);
}
#elif CASE == 17  // *x is for r, w and rw
void wrong(shared<int>& number) {
  fork_task([](rwp<int> it) { ++*it; }, number);
}
#elif CASE == 18  // use of deleted function | call to deleted constructor
void wrong(shared<int>& number) { shared<int> another(number); }
#endif
