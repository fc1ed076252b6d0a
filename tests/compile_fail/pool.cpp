// SPDX-License-Identifier: Apache-2.0
#include <steelyard/dataflow.hpp>
#include <steelyard/per_thread.hpp>
#include <steelyard/pool.hpp>
#include <steelyard/work_span.hpp>
#include <string>

void right(steelyard::pool& mine) {
  mine.run([] {});
  steelyard::recording once([] {});
  once.run();
  static_cast<void>(steelyard::measure_work_span([] {}));
  steelyard::per_thread<int> sums;
  sums.for_each([](int& sum) { sum = 0; });
  static_cast<void>(sums.combine([](int a, int b) { return a + b; }));
}

#if CASE == 1  // pool::run: the function cannot be called without arguments
void wrong(steelyard::pool& mine) {
  mine.run([](int) {});
}
#elif CASE == 2  // use of deleted function | call to deleted constructor
void wrong(const steelyard::pool& mine) { steelyard::pool another(mine); }
#elif CASE == 3  // recording: the function cannot be called without arguments
void wrong() {
  const steelyard::recording once([](int) {});
}
#elif CASE == 4  // measure_work_span: the function cannot be called without arguments
auto wrong() {
  return steelyard::measure_work_span([](int) {});
}
#elif CASE == 5  // per_thread::for_each: the function cannot be called with a T&
void wrong(steelyard::per_thread<int>& sums) {
  sums.for_each([](std::string) {});
}
#elif CASE == 6  // per_thread::combine: the operation cannot be called with a T and a const T&
int wrong(steelyard::per_thread<int>& sums) {
  return sums.combine([](int) { return 1; });
}
#endif
