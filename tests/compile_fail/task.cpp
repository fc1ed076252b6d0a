// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <steelyard/task.hpp>
#include <string>

using steelyard::join;
using steelyard::join_each;
using steelyard::join_reduce;

void right(steelyard::task_group& group) {
  const auto own = std::make_unique<int>(1);
  static_cast<void>(join([] { return 1; }, [&own] { return std::to_string(*own); }));
  join([] {}, [] {});
  group.spawn([] {});
  group.spawn([mine = std::make_unique<int>(1)] {});
  const auto one = group.async([] { return 1; });
  group.after([](int x) { return std::to_string(x); }, one);
  join_each(10, [](std::size_t) {});
  join_each(
      10, [](auto) {}, 5);
  static_cast<void>(join_reduce(10, 0L, [](auto i) { return i; }));
  static_cast<void>(join_reduce(10, std::string(), [](std::size_t) { return "x"; }));
  static_cast<void>(join_reduce(
      10, 0, [](std::size_t) { return 1.5; }, [](int a, double b) { return a + int(b); }, 3));
  steelyard::scope([](auto& its) { its.spawn([] {}); });
  steelyard::ordered_output<std::string> out(2, [](const std::string&) {});
  out.append([mine = std::make_unique<int>(1)](auto& into) { into = std::to_string(*mine); });
}

#if CASE == 1  // join: its first function cannot be called without arguments
void wrong() {
  join([](auto) {}, [] {});
}
#elif CASE == 2   // join: its second function cannot be called without arguments
int wrong() {
  return join([] { return 1; }, [](int x) { return x; }).first;
}
#elif CASE == 3   // join: its first function cannot be called without arguments
void wrong() { auto both = join(1, 2); }
#elif CASE == 4   // spawn: the task cannot be called without arguments
void wrong(steelyard::task_group& group) {
  group.spawn([](auto x) { return x; });
}
#elif CASE == 5   // spawn: the task cannot be called without arguments, or not be copied or moved
void wrong(steelyard::task_group& group) {
  const auto task = [mine = std::make_unique<int>(1)] {};
  group.spawn(task);
}
#elif CASE == 6   // async: the task cannot be called without arguments
int wrong(steelyard::task_group& group) {
  const auto later = group.async([](int x) { return x; });
  return later.get();
}
#elif CASE == 7   // async: the task cannot be called without arguments
void wrong(steelyard::task_group& group) { group.async(std::string("a task")); }
#elif CASE == 8   // after: the task cannot be called with the values of these futures
void wrong(steelyard::task_group& group) {
  group.after([](int) {}, group.async([] { return std::string(); }));
}
#elif CASE == 9   // join_reduce: what the function returns does not become the type of init
int wrong() {
  return join_reduce(10, 0, [](std::size_t) { return std::string(); });
}
#elif CASE == 10  // join_reduce: the operation cannot be called with init and what the function returns
int wrong() {
  return join_reduce(
      10, 0, [](std::size_t) { return 1; }, [](std::string, int) { return 1; });
}
#elif CASE == 11  // join_reduce: the function cannot be called with a std::size_t
int wrong() {
  return join_reduce(
      10, 0, [] { return 1; }, std::plus<>{}, 4);
}
#elif CASE == 12  // join_reduce: the operation cannot be called with init and what the function returns
int wrong() {
  return join_reduce(
      10, 0, [](std::size_t) { return 1; }, [](int, int) {});
}
#elif CASE == 13  // join_each: the function cannot be called with a std::size_t
void wrong() {
  join_each(
      10, [](std::string) {}, 4);
}
#elif CASE == 14  // scope: the function cannot be called with a task_group&
void wrong() {
  steelyard::scope([] {});
}
#elif CASE == 15  // append: the task cannot be called with a T&, or not be copied or moved
void wrong(steelyard::ordered_output<std::string>& out) {
  out.append([] { return std::string(); });
}
#elif CASE == 16  // ordered_output: what writes cannot be called with a T&, or not be copied
void wrong() {
  steelyard::ordered_output<std::string> out(2, [](int) {});
}
#elif CASE == 17  // ordered_output: what writes cannot be called with a T&, or not be copied
void wrong() {
  steelyard::ordered_output<std::string> out(2, [mine = std::make_unique<int>(1)](std::string&) {});
}
#elif CASE == 18  // join: it takes two functions; more go into a join_each or a task_group
void wrong() {
  join([] {});
}
#elif CASE == 19  // join: it takes two functions
void wrong() {
  join([] {}, [] {}, [] {});
}
#elif CASE == 20  // no matching function for call to | no matching member function for call to 'after'
void wrong(steelyard::task_group& group) {
  group.after([](int) {}, group.async([] { return 1; }).get());
}
#elif CASE == 21  // spawn: it takes one function without arguments, as in spawn([x] { f(x); })
void wrong(steelyard::task_group& group) {
  group.spawn([](int) {}, 3);
}
#elif CASE == 22  // async: it takes one function without arguments, as in async([x] { return f(x); })
void wrong(steelyard::task_group& group) {
  group.async([](int x) { return x; }, 3);
}
#elif CASE == 23  // join_each: first how many calls, then the function
void wrong() {
  join_each([](std::size_t) {}, 10);
}
#elif CASE == 24  // join_reduce: init is an integer, so the results lose their fractions; write 0.0
int wrong() {
  return join_reduce(10, 0, [](std::size_t) { return 0.5; });
}
#endif
